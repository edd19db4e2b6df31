// Keeps the moving part of a tournament's page up to date: the server sends that part anew, and what differs is
// replaced in place, so that neither focus nor scrolling nor selections are lost. Rows of a table move to their places.

const root = document.getElementById("live");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Replace the children of `old` by those of `fresh`, unless they are the same. */
function refresh(old, fresh) {
  if (old.innerHTML === fresh.innerHTML) return;
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceChildren(...fresh.childNodes);
  if (focused !== null) [...old.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused)?.focus();
}

/** Bring the rows of `old` into the order and to the state of those of `fresh`, and let them glide there. */
function move(old, fresh) {
  const known = new Map([...old.rows].map((row) => [row.dataset.row, row]));
  const before = new Map([...known].map(([key, row]) => [key, { top: row.offsetTop, place: row.rowIndex }]));
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const rows = [...fresh.rows].map((row) => {
    const same = known.get(row.dataset.row);
    if (!same) return row;
    [...row.cells].forEach((cell, column) => refresh(same.cells[column], cell));
    return same;
  });
  if (rows.some((row, place) => old.rows[place] !== row) || rows.length !== old.rows.length) {
    old.replaceChildren(...rows);
    focused?.focus();
  }
  for (const row of rows) {
    const was = before.get(row.dataset.row);
    if (!was || was.place === row.rowIndex) continue;
    row.classList.toggle("moved-up", row.rowIndex < was.place);
    row.classList.toggle("moved-down", row.rowIndex > was.place);
    const offset = was.top - row.offsetTop;
    if (!calm.matches && offset) {
      row.animate([{ transform: `translateY(${offset}px)` }, { transform: "none" }], { duration: 500, easing: "ease-out" });
    }
  }
}

/** Show what the server sent. */
function show(text) {
  const fresh = document.createElement("template");
  fresh.innerHTML = text;
  const parts = (within) => [...within.querySelectorAll("[data-live], [data-rows]")];
  const name = (part) => part.dataset.live ?? part.dataset.rows;
  const old = new Map(parts(root).map((part) => [name(part), part]));
  const now = parts(fresh.content);
  if (old.size !== now.length || !now.every((part) => old.has(name(part)))) {
    root.replaceChildren(fresh.content); // something began or ended, such as the table
    return;
  }
  for (const part of now) (part.dataset.rows ? move : refresh)(old.get(name(part)), part);
}

/** Follow the tournament; where the server has no room, try again later. */
function follow() {
  const events = new EventSource(root.dataset.events);
  events.addEventListener("now", (event) => show(event.data));
  events.addEventListener("over", () => events.close());
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 30_000);
  });
  addEventListener("pagehide", () => events.close(), { once: true });
}

if (root?.dataset.events) {
  follow();
  addEventListener("pageshow", (event) => event.persisted && follow()); // back again after pagehide
}
