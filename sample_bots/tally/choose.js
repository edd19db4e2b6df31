// Keeps a tally of the ranks that it has not seen, and throws and takes so that the next throw, too, leaves little.

import { declare, play, rank, total, value } from "./arena.js";

const RANKS = 13;
const NOW = 0.5; // what a point in the hand costs now, since somebody may declare; after the next throw it costs 1
const CARD = 0.6; // what a card kept costs: few cards are soon few points

export function choose(seen) {
  if (seen.mayDeclare && total(seen.hand) <= declaresAt(seen)) return declare();
  const unseen = tally(seen);
  const left = unseen.reduce((sum, count) => sum + count, 0);
  let best = { cost: Infinity };
  for (const { cards: discard } of seen.legalDiscards) {
    const kept = counts(seen.hand);
    for (const card of discard) kept[rank(card)]--;
    const costs = unseen.map((_, drawn) => costWith(kept, drawn));
    const options = seen.open.map((card) => ({ cost: costs[rank(card)], action: play(discard, card) }));
    if (seen.mayTakeClosed) {
      const cost = unseen.reduce((sum, count, drawn) => sum + count * costs[drawn], 0) / Math.max(left, 1);
      options.push({ cost, action: play(discard) });
    }
    for (const option of options) if (option.cost < best.cost) best = option;
  }
  return best.action;
}

/** The fewer cards another seat holds, the less is little. */
function declaresAt(seen) {
  const others = seen.seats.filter((seat, number) => number !== seen.seat && !seat.out);
  return 4 + Math.min(...others.map((seat) => seat.cards)) / 2;
}

/** How many cards of each rank are neither in the hand nor were open since the closed deck was last refilled. */
function tally(seen) {
  let open = seen.upcard === 0 ? [] : [seen.upcard];
  for (const { played } of seen.events) {
    if (played?.refilled > 0) open = [];
    if (played !== undefined) open.push(...played.discard);
  }
  return counts([...seen.hand, ...open]).map((count) => Math.max(0, 4 * seen.variant.decks - count));
}

function counts(cards) {
  const found = new Array(RANKS).fill(0);
  for (const card of cards) found[rank(card)]++;
  return found;
}

/** What a hand costs that holds so many cards of each rank and one more of the rank `drawn`. */
function costWith(kept, drawn) {
  const hand = kept.map((count, at) => count + (at === drawn));
  const now = hand.reduce((sum, count, at) => sum + count * worth(at), 0);
  const number = hand.reduce((sum, count) => sum + count, 0);
  return now - heaviest(hand) + NOW * now + CARD * number;
}

/** The most that a set of these ranks takes out of the hand; flushes are left out. */
function heaviest(hand) {
  let most = 0;
  let inRow = 0;
  for (let place = 0; place <= RANKS; place++) {
    const at = place % RANKS; // the ace once more, above the king
    if (hand[at] === 0) {
      inRow = 0;
      continue;
    }
    inRow++;
    const alike = hand[at] >= 4 ? 4 : Math.min(hand[at], 2);
    most = Math.max(most, alike * worth(at));
    for (const length of [3, 5]) if (inRow >= length) most = Math.max(most, run(place, length));
  }
  return most;
}

function run(last, length) {
  let sum = 0;
  for (let place = last - length + 1; place <= last; place++) sum += worth(place % RANKS);
  return sum;
}

const worth = (at) => value(at + 1);
