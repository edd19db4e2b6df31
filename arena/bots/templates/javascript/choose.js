import { declare, play, total } from "./arena.js";

export function choose(seen) {
  if (seen.mayDeclare && total(seen.hand) <= 5) return declare();
  const sets = seen.legalDiscards.map((discard) => discard.cards);
  const biggest = sets.reduce((best, set) => (total(set) > total(best) ? set : best));
  return seen.mayTakeClosed ? play(biggest) : play(biggest, seen.open[0]);
}
