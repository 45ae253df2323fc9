"use strict";
const { frames, entries } = JSON.parse(document.getElementById("game").textContent);
const [picture, list, slider, play] = ["picture", "entries", "slider", "play"].map((id) => document.getElementById(id));
let at = 0, timer = 0, shown = -1;

entries.forEach((entry, number) => {
  const item = document.createElement("li");
  item.textContent = entry.words;
  item.addEventListener("click", () => { pause(); show(number); });
  list.append(item);
});
slider.max = entries.length - 1;

function show(number) {
  list.children[at].removeAttribute("aria-current");
  at = Math.max(0, Math.min(entries.length - 1, number));
  const { picture: wanted, words } = entries[at];
  if (wanted !== shown) {
    picture.innerHTML = frames.pictures[wanted].map((part) => frames.parts[part]).join("");
    shown = wanted;
  }
  const item = list.children[at];
  item.setAttribute("aria-current", "step");
  list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  slider.value = at;
  slider.setAttribute("aria-valuetext", `${at} of ${entries.length - 1}: ${words}`);
  if (at === entries.length - 1) pause();
}

function pause() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "Play";
}

function toggle() {
  if (timer) return pause();
  if (at === entries.length - 1) show(0);
  timer = setInterval(() => show(at + 1), 800);
  play.textContent = "Pause";
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key in STEPS) {
    pause();
    show(at + STEPS[event.key]);
  } else if (event.key === " " && event.target.tagName !== "BUTTON") {
    toggle();
  } else return;
  event.preventDefault();
});
slider.addEventListener("input", () => { pause(); show(Number(slider.value)); });
play.addEventListener("click", toggle);
document.getElementById("back").addEventListener("click", () => { pause(); show(at - 1); });
document.getElementById("next").addEventListener("click", () => { pause(); show(at + 1); });
show(Number(location.hash.slice(1)) || 0);
