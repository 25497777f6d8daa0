"use strict";
// Shows the elements of a class whose data agree with what its form of filters says.
function filtered(form) {
  const items = [...document.querySelectorAll("." + form.dataset.filters)];
  const texts = items.map((item) => item.textContent.toLowerCase());
  const shown = form.querySelector("output");
  function apply() {
    const wanted = Object.fromEntries(new FormData(form));
    const words = (wanted.words || "").toLowerCase().split(/\s+/).filter(Boolean);
    delete wanted.words;
    let count = 0;
    items.forEach((item, k) => {
      const fits = Object.entries(wanted).every(([key, value]) => !value || item.dataset[key] === value);
      item.hidden = !(fits && words.every((word) => texts[k].includes(word)));
      count += !item.hidden;
    });
    shown.textContent = count + " shown";
  }
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}
// Each task has budgets of its own; the largest is shown first.
function budgets(form) {
  const { task, budget } = form.elements;
  const all = [...budget.options];
  function offer() {
    budget.replaceChildren(...all.filter((option) => option.dataset.task === task.value));
    budget.selectedIndex = budget.options.length - 1;
  }
  task.addEventListener("change", offer);
  offer();
}
budgets(document.querySelector("[data-filters=ratio]"));
document.querySelectorAll("[data-filters]").forEach(filtered);
// A link to a claim opens it, whatever the filters say.
function open() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target || !target.matches("details")) return;
  target.hidden = false;
  target.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", open);
open();
