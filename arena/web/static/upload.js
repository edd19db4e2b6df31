// While a bot is checked, its page shows what is new without being loaded anew.

const EVERY_MS = 1500;

async function look() {
  const answer = await fetch(window.location.href, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) {
    window.location.reload();
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("report");
  document.title = page.title;
  document.querySelector("h1").replaceWith(page.querySelector("h1"));
  show(fresh);
  if (fresh.dataset.open === "yes") {
    later();
  }
}

// What somebody may have opened meanwhile stays as it is.
function show(fresh) {
  const here = document.getElementById("report");
  const [steps, come] = [here, fresh].map((report) => report.querySelector(".steps"));
  if (!steps) {
    here.replaceWith(fresh);
    return;
  }
  here.querySelector("[role=status]").replaceChildren(...fresh.querySelector("[role=status]").childNodes);
  steps.append(...[...come.children].slice(steps.children.length));
}

function later() {
  setTimeout(() => look().catch(later), EVERY_MS);
}

later();
