// All that a bot in JavaScript needs, with nothing but Node.js itself: write `choose(seen, turn)` and hand it to `serve`.
// First what a bot works with, then the messages of bot.proto, then their bytes, then the server.

import { createServer } from "node:http2";

const RANKS = "A23456789TJQK";
const SUITS = "cdhs";

/** What a card is worth: the ace 1, 2 to 10 their number, jack, queen and king 10. A card is its number in bot.proto. */
export const value = (card) => Math.min(rank(card) + 1, 10);

/** The rank of a card, from 0 for the ace to 12 for the king. */
export const rank = (card) => (card - 1) % 13;

/** The suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades. */
export const suit = (card) => Math.floor((card - 1) / 13);

/** The sum of the values of some cards. */
export const total = (cards) => cards.reduce((sum, card) => sum + value(card), 0);

/** The cards written in a text, as in "As Td 9c". */
export const cards = (text) =>
  text.split(" ").map((word) => {
    const [at, of] = [RANKS.indexOf(word[0]), SUITS.indexOf(word[1])];
    if (word.length !== 2 || at < 0 || of < 0) throw new Error(`"${word}" is no card: write As, Td or 9c`);
    return 13 * of + at + 1;
  });

/** The action that throws a set and then takes one of the open cards, or, without `open`, an unseen one. */
export const play = (discard, open) => ({ play: open === undefined ? { discard, closed: {} } : { discard, open } });

/** The action that reveals all hands. */
export const declare = () => ({ declare: {} });

// The messages. Their fields stand in the order of their numbers, 1, 2, 3, …; names are those of bot.proto in the
// spelling of JavaScript. A number that was not sent is 0, a message or an optional number `undefined`.
const NUMBER = { empty: () => 0 };
const FLAG = { empty: () => false };
const TEXT = { empty: () => "" };
const BYTES = { empty: () => Buffer.alloc(0) };
const FIXED = { empty: () => 0n };
const MAYBE = { empty: () => undefined };
const list = (of) => ({ of, empty: () => [] });
const message = (fields) => ({ fields: Object.entries(fields), empty: () => undefined });

const VARIANT = message({
  handSize: NUMBER, decks: NUMBER, upcard: FLAG, mixedPairs: FLAG, tieHolds: FLAG, penalty: NUMBER,
  threshold: NUMBER, crossing: NUMBER, finish: NUMBER, lapCap: NUMBER, dealCap: NUMBER,
});
const SEAT = message({ cards: NUMBER, points: NUMBER, out: FLAG });
const PLAYED = message({ discard: list(NUMBER), taken: NUMBER, refilled: NUMBER });
const EVENT = message({ seat: NUMBER, played: PLAYED, forfeited: message({}) });
const REVEALED_HAND = message({ seat: NUMBER, cards: list(NUMBER), total: NUMBER, points: NUMBER });
const PAST_DEAL = message({ end: NUMBER, declarer: MAYBE, hands: list(REVEALED_HAND) });
const OBSERVATION = message({
  variant: VARIANT, deal: NUMBER, starter: NUMBER, upcard: NUMBER, seats: list(SEAT), events: list(EVENT),
  pastDeals: list(PAST_DEAL), open: list(NUMBER), closedCount: NUMBER, mayTakeClosed: FLAG, mayDeclare: FLAG,
  seat: NUMBER, hand: list(NUMBER), legalDiscards: list(message({ cards: list(NUMBER) })), bots: list(TEXT),
});
const TAKE_TURN_REQUEST = message({
  table: FIXED, turn: NUMBER, turnLimitMs: NUMBER, bankMs: NUMBER, lastLatencyUs: NUMBER, choiceSeed: BYTES,
  observation: OBSERVATION,
});
const TAKE_TURNS_REQUEST = message({ turns: list(TAKE_TURN_REQUEST) });
const PLAY = message({ discard: list(NUMBER), closed: message({}), open: NUMBER });
const TAKE_TURN_RESPONSE = message({ table: FIXED, turn: NUMBER, play: PLAY, declare: message({}) });
const TAKE_TURNS_RESPONSE = message({ turns: list(BYTES) }); // each a TAKE_TURN_RESPONSE, encoded already
const DESCRIBE_RESPONSE = message({
  name: TEXT, version: TEXT, authors: list(TEXT), protocolVersions: list(NUMBER), maxBatch: NUMBER,
  wantsLegalDiscards: FLAG, wantsConclude: FLAG,
});

// Bytes to messages: each field is a number that says which it is and how long, then its content.
const VARINT = 0;
const EIGHT_BYTES = 1;
const COUNTED = 2;

/** A message may come in parts, so that `found` is what there is of it already. */
function decode(type, bytes, found = Object.fromEntries(type.fields.map(([name, kind]) => [name, kind.empty()]))) {
  const at = { place: 0 };
  while (at.place < bytes.length) {
    const tag = varint(bytes, at);
    const raw = content(bytes, at, tag % 8);
    const [name, kind] = type.fields[Math.floor(tag / 8) - 1] ?? [];
    if (name === undefined) continue; // a field that is newer than this kit
    if (kind.of === undefined) found[name] = meaning(kind, raw, found[name]);
    else if (kind.of === NUMBER && Buffer.isBuffer(raw)) found[name].push(...numbers(raw));
    else found[name].push(meaning(kind.of, raw));
  }
  return found;
}

function content(bytes, at, wire) {
  if (wire === VARINT) return varint(bytes, at);
  const size = wire === COUNTED ? varint(bytes, at) : wire === EIGHT_BYTES ? 8 : 4;
  at.place += size;
  if (at.place > bytes.length) throw new Error("a message is cut off");
  return bytes.subarray(at.place - size, at.place);
}

function meaning(kind, raw, found) {
  if (kind.fields !== undefined) return decode(kind, raw, found);
  if (kind === FLAG) return raw !== 0;
  if (kind === TEXT) return raw.toString();
  return kind === FIXED ? raw.readBigUInt64LE() : raw;
}

function numbers(bytes) {
  const found = [];
  for (const at = { place: 0 }; at.place < bytes.length; ) found.push(varint(bytes, at));
  return found;
}

function varint(bytes, at) {
  for (let number = 0, weight = 1; at.place < bytes.length; weight *= 128) {
    const byte = bytes[at.place++];
    number += (byte % 128) * weight;
    if (byte < 128) return number;
  }
  throw new Error("a message is cut off");
}

/** What `content` leaves out is not sent. */
function encode(type, content) {
  return Buffer.concat(
    type.fields.flatMap(([name, kind], index) => {
      if (content[name] === undefined) return [];
      const values = kind.of === undefined ? [content[name]] : content[name];
      return values.map((one) => field(index + 1, kind.of ?? kind, one));
    }),
  );
}

function field(number, kind, content) {
  if (kind === NUMBER) return Buffer.from([...digits(8 * number + VARINT), ...digits(content)]);
  if (kind === FLAG) return field(number, NUMBER, Number(content));
  if (kind === FIXED) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(content);
    return Buffer.from([...digits(8 * number + EIGHT_BYTES), ...bytes]);
  }
  const bytes = kind.fields === undefined ? Buffer.from(content) : encode(kind, content);
  return Buffer.concat([Buffer.from([...digits(8 * number + COUNTED), ...digits(bytes.length)]), bytes]);
}

function digits(number) {
  if (!Number.isInteger(number) || number < 0) throw new Error(`${number} is no card and no count`);
  return number < 128 ? [number] : [(number % 128) + 128, ...digits(Math.floor(number / 128))];
}

// The server: gRPC is HTTP/2 with a byte and a length before each message, and a status behind the answer.
const WINDOW = 2 ** 24;
const MAX_BATCH = 64;
const INTERNAL = "13";
const UNIMPLEMENTED = "12";

/**
 * Be a bot: answer each turn with what `choose(seen, turn)` returns, `play(…)` or `declare()`, until the arena ends it.
 *
 * `seen` is the Observation of bot.proto, with `legalDiscards`; `turn` is the whole question around it. When `choose`
 * throws, that turn is a fault, the error is printed, and the bot plays on. `about` may give `name`, `version` and
 * `authors`; they only count for a bot that is entered by its address, else bot.toml does.
 */
export function serve(choose, about = {}) {
  const address = process.env.ARENA_BOT_ADDRESS;
  if (!address) {
    console.error("This is a bot: it plays when the arena starts it and names its address in ARENA_BOT_ADDRESS.");
    process.exit(1);
  }
  const methods = methodsOf(choose, about);
  const server = createServer({ settings: { initialWindowSize: WINDOW }, maxSessionMemory: 256 });
  server.on("session", (session) => session.setLocalWindowSize(WINDOW));
  server.on("stream", (stream, headers) => {
    const parts = [];
    stream.on("error", (error) => console.error(error));
    stream.on("data", (part) => parts.push(part));
    stream.on("end", () => answer(stream, methods[headers[":path"]], Buffer.concat(parts)));
  });
  const colon = address.lastIndexOf(":");
  if (address.startsWith("unix:")) server.listen(address.slice("unix:".length));
  else server.listen(Number(address.slice(colon + 1)), address.slice(0, colon).replace(/^\[|\]$/g, ""));
}

function methodsOf(choose, about) {
  const reply = (turn) => {
    const action = choose(turn.observation, turn);
    if (!action?.play === !action?.declare) throw new Error("choose must return play(discard, open) or declare()");
    return encode(TAKE_TURN_RESPONSE, { table: turn.table, turn: turn.turn, ...action });
  };
  const replyIfAble = (turn) => {
    try {
      return [reply(turn)];
    } catch (error) {
      console.error(error);
      return [];
    }
  };
  const description = { ...about, protocolVersions: [1], maxBatch: MAX_BATCH, wantsLegalDiscards: true };
  return {
    "/arena.v1.BotService/Describe": () => encode(DESCRIBE_RESPONSE, description),
    "/arena.v1.BotService/TakeTurn": (raw) => reply(decode(TAKE_TURN_REQUEST, raw)),
    "/arena.v1.BotService/TakeTurns": (raw) =>
      encode(TAKE_TURNS_RESPONSE, { turns: decode(TAKE_TURNS_REQUEST, raw).turns.flatMap(replyIfAble) }),
  };
}

function answer(stream, method, request) {
  const headers = { ":status": 200, "content-type": "application/grpc" };
  const refuse = (status) => stream.respond({ ...headers, "grpc-status": status }, { endStream: true });
  if (stream.destroyed) return;
  if (method === undefined) {
    refuse(UNIMPLEMENTED);
    return;
  }
  try {
    const reply = method(request.subarray(5));
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(reply.length, 1);
    stream.respond(headers, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(Buffer.concat([prefix, reply]));
  } catch (error) {
    console.error(error);
    refuse(INTERNAL);
  }
}
