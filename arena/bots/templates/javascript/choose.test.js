import assert from "node:assert";
import test from "node:test";

import { cards, declare, play } from "./arena.js";
import { choose } from "./choose.js";

/** What the bot sees of a turn, as far as it looks at it; `sets` are what it may throw. */
const seen = (hand, sets, more = {}) => ({
  hand: cards(hand),
  legalDiscards: sets.map((set) => ({ cards: cards(set) })),
  open: cards("4h"),
  mayDeclare: true,
  mayTakeClosed: true,
  ...more,
});

test("it declares with five or less", () => {
  assert.deepEqual(choose(seen("As 2s 2d", ["As", "2s"])), declare());
  assert.notDeepEqual(choose(seen("As 2s 3d", ["As", "2s"])), declare());
  assert.notDeepEqual(choose(seen("As 2s 2d", ["As", "2s"], { mayDeclare: false })), declare());
});

test("it throws the biggest sum", () => {
  assert.deepEqual(choose(seen("9c 9d Kh 2s", ["9c", "Kh", "9c 9d", "2s"])), play(cards("9c 9d")));
});

test("it takes an open card where there is no other", () => {
  assert.deepEqual(choose(seen("Kh", ["Kh"], { mayTakeClosed: false })), play(cards("Kh"), ...cards("4h")));
});
