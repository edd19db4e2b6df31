// Steps through a match without a new page. The server made every step: nothing here knows the rules, nor how a table
// looks. A step is the parts of the table that changed, put in their places.

const replay = document.getElementById("replay");
const BASE_MS = 1200;

/** The deals that were loaded, by the address of their steps. */
const loaded = new Map();

const state = { deal: null, frame: Number(replay.dataset.frame), timer: 0, isBusy: false };

const one = (selector) => replay.querySelector(selector);
const slots = new Map([...replay.querySelectorAll("[data-slot]")].map((place) => [place.dataset.slot, place]));

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

/** All parts of the table at a step: of each part what the last step up to here made it. */
function partsAt(deal, frame) {
  return Object.assign({}, ...deal.frames.slice(0, frame + 1).map((step) => step.slots));
}

/** Show a step of a deal that is loaded. */
function show(deal, frame) {
  const isOther = state.deal !== deal;
  state.deal = deal;
  state.frame = frame;
  for (const [name, html] of Object.entries(partsAt(deal, frame))) {
    const place = slots.get(name);
    if (place && place.innerHTML !== html) place.innerHTML = html;
  }
  if (isOther) one("[data-log]").innerHTML = deal.log;
  mark(frame);
  const slide = one("[data-slide]");
  slide.max = deal.frames.length - 1;
  slide.value = frame;
  one("[data-turn]").value = new URL(deal.frames[frame].address, location).searchParams.get("turn") ?? "";
  history.replaceState(null, "", deal.frames[frame].address);
  lead();
}

/** Mark the step in the list of turns, and its deal in the list of deals. */
function mark(frame) {
  for (const row of replay.querySelectorAll("[data-at]")) row.classList.toggle("is-current", Number(row.dataset.at) === frame);
  for (const row of document.querySelectorAll("[data-deal]")) row.classList.toggle("is-current", Number(row.dataset.deal) === state.deal.deal);
}

/** Let the links of the steps, and those to other eyes, lead on from here. */
function lead() {
  const { deal, frame } = state;
  const isFirst = frame === 0 && !deal.previous;
  const isLast = frame === deal.frames.length - 1 && !deal.next;
  for (const link of replay.querySelectorAll("[data-step]")) {
    const isBack = ["first", "previous"].includes(link.dataset.step);
    const isOff = isBack ? isFirst : isLast;
    link.toggleAttribute("aria-disabled", isOff);
    if (isOff) link.setAttribute("aria-disabled", "true");
    link.href = isOff ? deal.frames[frame].address : link.href || deal.frames[frame].address;
  }
  const here = new URL(deal.frames[frame].address, location).searchParams;
  for (const link of document.querySelectorAll("[data-eyes] a")) {
    const there = new URL(link.href);
    const seat = there.searchParams.get("seat");
    there.search = here;
    if (seat === null) there.searchParams.delete("seat");
    else there.searchParams.set("seat", seat);
    link.href = there;
  }
  if (isLast) pause();
}

/** Go to a step; -1 is the last of the deal before, and one too many the first of the next. */
async function go(frame, address = null) {
  if (state.isBusy) return;
  state.isBusy = true;
  one("[data-status]").textContent = "";
  try {
    let deal = address ? await load(address) : state.deal;
    if (frame < 0 && deal.previous) {
      deal = await load(deal.previous);
      frame = deal.frames.length - 1;
    } else if (frame >= deal.frames.length && deal.next) {
      deal = await load(deal.next);
      frame = 0;
    }
    show(deal, Math.max(0, Math.min(frame, deal.frames.length - 1)));
    if (frame > deal.frames.length - 4 && deal.next) load(deal.next).catch(() => {});
  } catch {
    pause();
    one("[data-status]").textContent = replay.dataset.failed;
  } finally {
    state.isBusy = false;
  }
}

/** The first or last step of the match: the deals are gone through, since only they know their neighbours. */
async function goFar(direction) {
  let deal = state.deal;
  try {
    while (deal[direction]) deal = await load(deal[direction]);
  } catch {
    one("[data-status]").textContent = replay.dataset.failed;
    return;
  }
  show(deal, direction === "previous" ? 0 : deal.frames.length - 1);
}

const steps = {
  first: () => goFar("previous"),
  previous: () => go(state.frame - 1),
  next: () => go(state.frame + 1),
  last: () => goFar("next"),
};

function pause() {
  clearTimeout(state.timer);
  state.timer = 0;
  tell();
}

function play() {
  const wait = BASE_MS / Number(one("[data-speed]").value);
  state.timer = setTimeout(async () => {
    await go(state.frame + 1);
    if (state.timer) play();
  }, wait);
  tell();
}

/** Show on the button whether it plays, and do not read every step aloud while it does. */
function tell() {
  const isPlaying = state.timer !== 0;
  const button = one("[data-play]");
  button.setAttribute("aria-pressed", String(isPlaying));
  for (const words of button.querySelectorAll("[data-when]")) words.hidden = (words.dataset.when === "playing") !== isPlaying;
  slots.get("said").setAttribute("aria-live", isPlaying ? "off" : "polite");
}

async function toggle() {
  if (state.timer) return pause();
  if (state.frame === state.deal.frames.length - 1 && !state.deal.next) await goFar("previous");
  play();
}

/** Fetch what is thought of a turn, in place of the link to it. */
async function explain(link) {
  const place = slots.get("thought");
  const asked = state.frame;
  link.setAttribute("aria-busy", "true");
  link.textContent = replay.dataset.thinking;
  try {
    const answer = await fetch(link.dataset.explain);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const html = await answer.text();
    if (state.frame === asked) place.innerHTML = html;
  } catch {
    location.assign(link.href); // a page of its own tells what is wrong
  }
}

/** The step that a link of the list of turns or deals leads to. */
function stepOf(link) {
  const row = link.closest("[data-at]");
  return row ? Number(row.dataset.at) : null;
}

replay.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const step = event.target.closest("[data-step]");
  const thought = event.target.closest("[data-explain]");
  const row = event.target.closest("[data-log] a");
  if (!step && !thought && !row) return;
  event.preventDefault();
  pause();
  if (step) steps[step.dataset.step]();
  else if (thought) explain(thought);
  else go(stepOf(row));
});

const KEYS = {
  ArrowLeft: steps.previous,
  ArrowRight: steps.next,
  Home: () => go(0),
  End: () => go(state.deal.frames.length - 1),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea, [role=region]")) return;
  if (event.key === " " && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    toggle();
  } else if (event.key in KEYS) {
    event.preventDefault();
    pause();
    KEYS[event.key]();
  }
});

async function start() {
  const deal = await load(replay.dataset.steps);
  state.deal = deal;
  const slide = one("[data-slide]");
  slide.addEventListener("input", () => {
    pause();
    go(Number(slide.value));
  });
  one("[data-play]").addEventListener("click", toggle);
  one("[data-speed]").addEventListener("change", () => {
    if (!state.timer) return;
    pause();
    play();
  });
  for (const part of replay.querySelectorAll("[data-script], [data-play]")) part.hidden = false;
}

start().catch(() => {
  one("[data-status]").textContent = replay.dataset.failed;
});
