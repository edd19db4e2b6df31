// Steps through a match without a new page. The server made every step: nothing here knows the rules, nor how a table
// looks. A step is the parts of the table that changed, put in their places.

const replay = document.getElementById("replay");
const BASE_MS = 1200;
const NEAR = 3; // so many steps before the end of a deal the next one is loaded

const one = (selector) => replay.querySelector(selector);
const places = new Map([...replay.querySelectorAll("[data-slot]")].map((place) => [place.dataset.slot, place]));
const controls = { play: one("[data-play]"), speed: one("[data-speed]"), slide: one("[data-slide]"), turn: one("[data-turn]") };
const status = one("[data-status]");

/** Deals by the address of their steps, as promises. */
const loaded = new Map();

/** Where one is: a deal that is loaded, and a step of it. */
const here = { deal: null, frame: Number(replay.dataset.frame) };

/** What a script put in the places: what did not change is left alone, so that whoever is at it is not disturbed. */
const shown = new Map();

/** Counts what was asked for, so that an answer that comes late changes nothing. */
let asked = 0;
let timer = 0;

/** Load the steps of a deal, once. */
function load(address) {
  if (!loaded.has(address)) {
    const steps = fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status}`);
      return answer.json();
    });
    steps.catch(() => loaded.delete(address));
    loaded.set(address, steps);
  }
  return loaded.get(address);
}

/** Go to a step of the deal whose steps are at an address; a negative number counts from its end. */
async function go(address, frame) {
  const mine = ++asked;
  status.textContent = "";
  try {
    const deal = await load(address);
    if (mine === asked) show(deal, frame < 0 ? deal.frames.length + frame : frame);
  } catch {
    pause();
    status.textContent = replay.dataset.failed;
  }
}

/** The moves by name: the deal to go to, and the step of it; null where there is nothing more. */
const MOVES = {
  first: ({ deal }) => [deal.steps.first, 0],
  previous: ({ deal, frame }) => (frame > 0 ? [own(), frame - 1] : deal.steps.previous && [deal.steps.previous, -1]),
  next: ({ deal, frame }) =>
    frame + 1 < deal.frames.length ? [own(), frame + 1] : deal.steps.next && [deal.steps.next, 0],
  last: ({ deal }) => [deal.steps.last, -1],
};

async function move(name) {
  const to = here.deal && MOVES[name](here);
  if (to) await go(...to);
}

/** Where the steps of this deal were loaded from. */
const own = () => here.deal.own;

/** Show a step of a deal. */
function show(deal, frame) {
  const isOther = here.deal !== deal;
  Object.assign(here, { deal, frame });
  const parts = Object.assign({}, ...deal.frames.slice(0, frame + 1).map((step) => step.slots));
  for (const [name, html] of Object.entries(parts)) {
    if (shown.get(name) !== html) places.get(name).innerHTML = html;
    shown.set(name, html);
  }
  if (isOther) one("[data-log]").innerHTML = deal.log;
  controls.slide.max = deal.frames.length - 1;
  controls.slide.value = frame;
  const address = deal.frames[frame].address;
  controls.turn.value = new URL(address, location).searchParams.get("turn") ?? "";
  history.replaceState(null, "", address);
  mark();
  lead();
  if (frame + NEAR >= deal.frames.length && deal.steps.next) load(deal.steps.next).catch(() => {});
}

/** Mark the step in the list of turns, and its deal in the list of deals. */
function mark() {
  for (const row of replay.querySelectorAll("[data-at]")) {
    row.classList.toggle("is-current", Number(row.dataset.at) === here.frame);
  }
  for (const row of document.querySelectorAll("[data-deal]")) {
    row.classList.toggle("is-current", Number(row.dataset.deal) === here.deal.deal);
  }
}

/** Let the links of the steps, and those to other eyes, lead on from here. */
function lead() {
  const { deal, frame } = here;
  const before = deal.frames[frame - 1]?.address ?? deal.far.previous;
  const after = deal.frames[frame + 1]?.address ?? deal.far.next;
  const targets = { first: before && deal.far.first, previous: before, next: after, last: after && deal.far.last };
  for (const link of replay.querySelectorAll("[data-step]")) {
    const target = targets[link.dataset.step];
    link.href = target ?? deal.frames[frame].address;
    if (target) link.removeAttribute("aria-disabled");
    else link.setAttribute("aria-disabled", "true");
  }
  for (const link of document.querySelectorAll("[data-eyes] a")) {
    const seat = new URL(link.href).searchParams.get("seat");
    const there = new URL(deal.frames[frame].address, location);
    if (seat === null) there.searchParams.delete("seat");
    else there.searchParams.set("seat", seat);
    link.href = there;
  }
  if (!after) pause();
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  tell();
}

/** Step on again and again, each time when the step before is shown. */
function play() {
  timer = setTimeout(async () => {
    await move("next");
    if (timer) play();
  }, BASE_MS / Number(controls.speed.value));
  tell();
}

/** Show on the button whether it plays, and do not read every step aloud while it does. */
function tell() {
  const isPlaying = timer !== 0;
  controls.play.setAttribute("aria-pressed", String(isPlaying));
  for (const words of controls.play.querySelectorAll("[data-when]")) {
    words.hidden = (words.dataset.when === "playing") !== isPlaying;
  }
  places.get("said").setAttribute("aria-live", isPlaying ? "off" : "polite");
}

async function toggle() {
  if (timer) return pause();
  if (!MOVES.next(here)) await move("first");
  play();
}

/** Fetch what is thought of a turn, in place of the link to it. */
async function explain(link) {
  const mine = asked;
  link.setAttribute("aria-busy", "true");
  link.textContent = replay.dataset.thinking;
  try {
    const answer = await fetch(link.dataset.explain);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const html = await answer.text();
    if (mine !== asked) return;
    places.get("thought").innerHTML = html;
    shown.delete("thought");
  } catch {
    location.assign(link.href); // a page of its own tells what is wrong
  }
}

replay.addEventListener("click", (event) => {
  if (!here.deal || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = event.target.closest("[data-step]");
  const thought = event.target.closest("[data-explain]");
  const row = event.target.closest("[data-log] a")?.closest("[data-at]");
  if (!step && !thought && !row) return;
  event.preventDefault();
  pause();
  if (step) move(step.dataset.step);
  else if (thought) explain(thought);
  else go(own(), Number(row.dataset.at));
});

document.addEventListener("keydown", (event) => {
  const name = { ArrowLeft: "previous", ArrowRight: "next" }[event.key];
  if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, [role=region]")) return;
  event.preventDefault();
  pause();
  move(name);
});

controls.slide.addEventListener("input", () => {
  pause();
  go(own(), Number(controls.slide.value));
});
controls.play.addEventListener("click", toggle);

try {
  here.deal = await load(replay.dataset.steps);
  for (const part of replay.querySelectorAll("[data-script], [data-play]")) part.hidden = false;
} catch {
  status.textContent = replay.dataset.failed;
}
