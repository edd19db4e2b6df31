// Shows a game without new pages: what happens comes as server-sent events, and is shown step by step. The server made
// every step and judges every move: nothing here knows the rules, nor how a table looks.

const game = document.getElementById("game");
const PACE_MS = 1100;
const MANY = 10; // when more steps wait, they are shown faster

const one = (selector) => game.querySelector(selector);
const places = new Map([...game.querySelectorAll("[data-slot]")].map((place) => [place.dataset.slot, place]));
const problem = one("[data-problem]");
const story = one("[data-story]");
const hint = one("[data-hint]");
const skip = one("[data-skip]");
const on = one("[data-go-on]");
const hintLink = one("[data-hint-link]");

/** Steps that were not shown yet, and how the table looks after them. */
const waiting = [];
let last = null;
let showing = false;
let skipping = false;
/** Ends the pause after a step. */
let wake = () => {};

/** Put parts of the table in their places; what did not change is left alone. */
function put(slots) {
  one(".felt").hidden = false;
  for (const [name, html] of Object.entries(slots)) {
    const place = places.get(name);
    if (place.dataset.html !== html) {
      place.innerHTML = html;
      place.dataset.html = html;
    }
  }
}

/** Wait, but no longer than until `wake` is called. */
function pause(ms) {
  return new Promise((done) => {
    const timer = ms === Infinity ? 0 : setTimeout(done, ms);
    wake = () => {
      clearTimeout(timer);
      done();
    };
  });
}

function tell(step) {
  if (step.own) story.replaceChildren();
  const line = document.createElement("li");
  line.innerHTML = step.slots.said;
  story.append(line);
}

/** Show what waits, one step after the other; the end of a deal stays until one goes on. */
async function show() {
  if (showing) return;
  showing = true;
  while (waiting.length) {
    const step = waiting.shift();
    put(step.slots);
    tell(step);
    skip.hidden = waiting.length === 0;
    if (step.waits && waiting.length) {
      on.hidden = false;
      if (document.activeElement === document.body) on.focus();
      await pause(Infinity);
      on.hidden = true;
    } else if (!skipping && waiting.length) {
      await pause(waiting.length > MANY ? PACE_MS / 4 : PACE_MS);
    }
  }
  showing = skipping = false;
  skip.hidden = true;
  if (last) settle(last);
}

/** The table as it is now: the person's turn, or what to wait for. */
function settle({ slots, over }) {
  put(slots);
  const asks = one("#move") !== null;
  hintLink.hidden = !asks;
  if (asks && document.activeElement === document.body) one("#move input[type=checkbox]")?.focus({ preventScroll: true });
  if (over) document.querySelector("[data-leave]")?.remove();
}

/** Hear what happens, until it is over. */
function follow() {
  const events = new EventSource(game.dataset.news);
  events.addEventListener("news", (event) => {
    const news = JSON.parse(event.data);
    waiting.push(...news.steps);
    last = news;
    if (news.over) events.close();
    show();
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) problem.textContent = game.dataset.failed;
  });
  addEventListener("pagehide", () => events.close(), { once: true });
}

/** Send a move; why it cannot be done is shown, and the choice stays. */
async function send(form, button) {
  const choice = new URLSearchParams(new FormData(form, button));
  problem.textContent = "";
  form.inert = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: choice, headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    problem.innerHTML = (await answer.json()).problem;
    if (!problem.innerHTML) hint.replaceChildren();
  } catch {
    problem.textContent = game.dataset.failed;
  } finally {
    form.inert = false;
  }
}

/** Fetch what the reference would do. */
async function ask() {
  if (hintLink.getAttribute("aria-busy")) return;
  hintLink.setAttribute("aria-busy", "true");
  hint.textContent = game.dataset.thinking;
  try {
    const answer = await fetch(game.dataset.hintAddress);
    if (!answer.ok) throw new Error(`${answer.status}`);
    hint.innerHTML = await answer.text();
  } catch {
    hint.textContent = game.dataset.failed;
  } finally {
    hintLink.removeAttribute("aria-busy");
  }
}

/** Choose the next of the cards that may be taken from the open ones. */
function next(radios) {
  const at = radios.findIndex((radio) => radio.checked);
  radios[(at + 1) % radios.length]?.click();
}

const KEYS = {
  c: () => one("[name=take][value=closed]")?.click(),
  o: () => next([...game.querySelectorAll("[name=take]:not([value=closed])")]),
  d: () => one("#move [value=declare]")?.click(),
  h: () => hintLink.hidden || ask(),
  Enter: () => (on.hidden ? one("#move [value=play]") : on)?.click(),
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("a, button, select, summary")) return;
  const card = /^[1-9]$/.test(event.key) && game.querySelectorAll("#move [name=throw]")[event.key - 1];
  const done = card ? () => card.click() : KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!done || event.repeat) return;
  event.preventDefault();
  done();
});

game.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!event.target.inert) send(event.target, event.submitter);
});
game.addEventListener("change", () => problem.replaceChildren());
hintLink.addEventListener("click", (event) => {
  event.preventDefault();
  ask();
});
on.addEventListener("click", () => wake());
skip.addEventListener("click", () => {
  skipping = true;
  wake();
});
addEventListener("pageshow", (event) => event.persisted && location.reload()); // back again: the game went on

for (const part of game.querySelectorAll("[data-script]")) part.hidden = false;
if (game.dataset.over === undefined) follow();
