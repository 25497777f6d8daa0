"use strict";
// Everything that moves on the pages. Each part looks for its own elements and leaves where there are none.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// A reader's situation stands in the address of every page: what the helper was told goes along with a
// click on a link to another page.
// There the budget is called evaluations, because filters of tables have a budget of their own.
const SITUATION = { players: "players", budget: "evaluations", kind: "kind", explanations: "explanations" };
function situation() {
  const query = new URLSearchParams(location.search);
  const told = Object.values(SITUATION).filter((key) => query.get(key));
  return new Map(told.map((key) => [key, query.get(key)]));
}
function carried() {
  addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href]");
    if (!link || !/\.html$/.test(link.pathname) || link.host !== location.host) return;
    const query = new URLSearchParams(link.search);
    for (const [key, value] of situation()) if (!query.has(key)) query.set(key, value);
    link.search = query.toString();
  });
}

// A link to a claim that was made when the site had one page leads to where the claim is now.
function forwarded() {
  const name = decodeURIComponent(location.hash.slice(1));
  const here = location.pathname.split("/").pop();
  if (!name || document.getElementById(name) || !(here === "" || here === "index.html")) return;
  const wanted = document.querySelector(`nav a[href="${CSS.escape(name)}.html"]`) ? name : "claims";
  const link = document.querySelector(`nav a[href="${wanted}.html"]`);
  if (link) location.replace(link.href + (wanted === name ? "" : location.hash));
}

// Shows the elements of a class whose data agree with what its form of filters says. What the form
// says stands in the address, so that a link or a bookmark keeps it.
function filtered(form) {
  const items = all("." + form.dataset.filters);
  const texts = items.map((item) => item.textContent.toLowerCase());
  const closed = (text) => text.toLowerCase().replace(/\s+/g, "");
  const codes = items.map((item) => closed(item.dataset.code || ""));
  const shown = form.querySelector("output");
  function apply() {
    const wanted = Object.fromEntries(new FormData(form));
    const words = (wanted.words || "").toLowerCase().split(/\s+/).filter(Boolean);
    // The number of a claim in the report, such as GT 8d, means that claim alone.
    const code = closed(wanted.words || "");
    const coded = code !== "" && codes.includes(code);
    delete wanted.words;
    const ours = !form.elements.ours || form.elements.ours.checked;
    delete wanted.ours;
    const pairs = Object.entries(wanted).filter(([, value]) => value);
    let count = 0;
    items.forEach((item, k) => {
      const fits = pairs.every(([key, value]) => item.dataset[key] === value);
      const told = ours || coded || !("ours" in item.dataset);
      const named = coded ? codes[k] === code : words.every((word) => texts[k].includes(word));
      item.hidden = !(fits && told && named);
      count += !item.hidden;
    });
    const nouns = count === 1 ? shown.dataset.noun.replace(/s$/, "") : shown.dataset.noun;
    shown.textContent = count ? `${count} ${nouns} shown` : `No ${nouns} fit these filters`;
  }
  function remember() {
    const query = new URLSearchParams([...situation()]);
    for (const [key, value] of new FormData(form)) if (value) query.set(key, value);
    history.replaceState(null, "", location.pathname + (query.size ? "?" + query : ""));
  }
  function changed() {
    apply();
    remember();
  }
  recall(form);
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("reset", () => setTimeout(changed));
  form.addEventListener("submit", (event) => event.preventDefault());
  all("[data-choose]").forEach((button) => {
    button.addEventListener("click", () => {
      form.reset();
      for (const [key, value] of Object.entries(JSON.parse(button.dataset.choose)))
        if (value === true) form.elements[key].checked = true;
        else if (value) form.elements[key].value = value;
      changed();
      form.scrollIntoView();
    });
  });
  apply();
}

// Sets the controls of a form as the address says. Each task has budgets of its own, and is
// shown first at the largest that leaves something to estimate.
function recall(form) {
  const { task, budget } = form.elements;
  const query = new URLSearchParams(location.search);
  const options = budget ? [...budget.options] : [];
  function offer() {
    budget.replaceChildren(...options.filter((option) => option.dataset.task === task.value));
    budget.selectedIndex = [...budget.options].findIndex((option) => "headline" in option.dataset);
  }
  function set(name) {
    const control = form.elements[name];
    const value = query.get(name);
    if (!control || value === null) return;
    if (control.type === "checkbox") control.checked = true;
    else if (!control.options || [...control.options].some((one) => one.value === value))
      control.value = value;
  }
  if (budget) {
    const players = Number(query.get("players"));
    const far = (one) => Math.abs(Math.log(one.dataset.players / players));
    if (players) [...task.options].sort((a, b) => far(a) - far(b))[0].selected = true;
    set("task");
    offer();
    task.addEventListener("change", offer);
  }
  [...query.keys()].filter((name) => name !== "task").forEach(set);
}

// Tables that are sorted by a column, whose head is a button.
function sortable(table) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  all("[data-sort]", table).forEach((button) => {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const rising = head.getAttribute("aria-sort") !== "ascending";
      all("th", table.tHead).forEach((one) => one.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const column = [...head.parentNode.cells].indexOf(head);
      const number = button.dataset.sort === "number";
      const key = (row) => {
        const found = cell(row, column);
        return number ? parseFloat(found.dataset.value) : found.textContent.trim();
      };
      const order = (a, b) => (number ? a - b : a.localeCompare(b));
      rows.sort((a, b) => order(key(a), key(b)) * (rising ? 1 : -1));
      body.append(...rows);
    });
  });
}

// The cell of a row at a column, counting those that span several.
function cell(row, column) {
  let place = 0;
  return [...row.cells].find((one) => (place += one.colSpan) > column);
}

// Explanations of terms, for pointer and keyboard.
function tips() {
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  let owner = null;
  function hide() {
    if (owner) owner.removeAttribute("aria-describedby");
    owner = null;
    tip.hidden = true;
  }
  // What an element says of itself, or the definition on this page that a link leads to.
  function explanation(link) {
    if (link.dataset.tip) return link.dataset.tip;
    if (!link.hash || link.pathname !== location.pathname) return "";
    const target = document.getElementById(link.hash.slice(1));
    const found = target && target.querySelector(".definition, dd");
    return found ? found.textContent : "";
  }
  function show(link) {
    const text = explanation(link);
    if (!text) return;
    hide();
    owner = link;
    tip.textContent = text.replace(/\s+/g, " ").trim();
    link.setAttribute("aria-describedby", tip.id);
    tip.hidden = false;
    const place = link.getBoundingClientRect();
    const left = Math.min(place.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    tip.style.left = Math.max(8, left) + scrollX + "px";
    tip.style.top = place.bottom + scrollY + 4 + "px";
  }
  const term = (event) => event.target.closest && event.target.closest("a.term, [data-tip]");
  for (const kind of ["mouseover", "focusin"])
    document.addEventListener(kind, (event) => {
      if (term(event)) show(term(event));
      // A page that scrolls below a pointer at rest does not end what the keyboard asked for.
      else if (owner !== document.activeElement) hide();
    });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}

// Links to claims, to copy where the browser lets a page do that.
function copies() {
  if (!navigator.clipboard) return;
  all("[data-copy]").forEach((button) => {
    const said = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const link = button.parentNode.querySelector(".permalink");
      const done = await navigator.clipboard.writeText(link.href.replace(/\?[^#]*/, "")).then(
        () => "Copied",
        () => "Copy the link on the left",
      );
      button.textContent = done;
      setTimeout(() => (button.textContent = said), 2000);
    });
  });
}

// A link to a claim, or to the rows of its evidence, opens it, whatever the filters say.
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches("details.claim, details.rows")) return;
  target.hidden = false;
  target.open = true;
  target.scrollIntoView();
  target.querySelector("summary").focus({ preventScroll: true });
}

// On paper the evidence of opened claims is there in full.
function printed() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all(".claim[open] details:not([open])");
    opened.forEach((one) => (one.open = true));
    all(".claim[open] img").forEach((one) => (one.loading = "eager"));
  });
  addEventListener("afterprint", () => opened.forEach((one) => (one.open = false)));
}

// What to use for a number of players, a budget, a kind of model and a number of explanations.
function helper(form) {
  const data = JSON.parse(document.getElementById("helper-data").textContent);
  const said = document.querySelector(".advice");
  const shown = (value) => value.toLocaleString("en");
  const list = (names) => names.join(", ");

  function element(tag, ...parts) {
    const made = document.createElement(tag);
    made.append(...parts);
    return made;
  }
  function link(address, text) {
    const made = element("a", text);
    made.href = address;
    return made;
  }
  // Factors by which a situation of the study is away from the one that is asked for.
  function away(one, asked) {
    const factor = (a, b) => Math.max(a / b, b / a);
    const players = factor(one.players, asked.players);
    const budget = factor(one.budget, asked.budget);
    return { one, players, budget, far: Math.log(players) + Math.log(budget) };
  }
  // Situations of about as many players and evaluations, the same kind of model first. Without one
  // there is no evidence, and the nearest in size is named as what it is: another situation.
  const LIKE = { players: 1.5, budget: 2 };
  function nearest(asked) {
    const found = data.situations.map((one) => away(one, asked));
    const like = found.filter((one) => one.players <= LIKE.players && one.budget <= LIKE.budget);
    const same = ({ one }) => one.kind === asked.kind;
    const first = (a, b) => same(b) - same(a) || b.one.complete - a.one.complete || a.far - b.far;
    const bySize = (a, b) => a.players - b.players || a.budget - b.budget;
    const best = like.length ? like.sort(first)[0] : found.sort(bySize)[0];
    return best && { ...best, tried: like.length > 0, same: same(best) };
  }
  function known(advice) {
    const claims = advice.claims.flatMap((one, k) => [
      k ? ", " : " Evidence: ",
      link("claims.html#" + encodeURIComponent(one.id), one.title),
    ]);
    if (claims.length) claims.push(".");
    const take = advice.take[0].toUpperCase() + advice.take.slice(1);
    return element("p", element("strong", take + "."), " " + advice.why, ...claims);
  }
  function measured({ one, tried, same }, asked) {
    const parts = [];
    if (!tried) {
      const size = `${shown(asked.players)} players and ${shown(asked.budget)} evaluations`;
      parts.push(element("strong", "No evidence"), ` for about ${size} in this study. The nearest in size has `);
      parts.push(`${shown(one.players)} players; there, `, element("strong", one.best));
    } else parts.push(element("strong", one.best));
    parts.push(one.exact ? " is exact on every explicand" : " has the smallest error");
    parts.push(` on ${one.label} (${shown(one.explicands)} explicands) with ${shown(one.budget)} evaluations`);
    if (!one.exact)
      parts.push(`: its error is ${one.ratio} times that of ${one.reference} (${one.limits})`);
    parts.push(".");
    if (one.others.length) {
      const more = one.more - one.others.length;
      parts.push(` Equally good: ${list(one.others)}${more ? ` and ${more} others` : ""}.`);
    }
    if (!same && tried)
      parts.push(` This model (${data.kinds[one.kind]}) is of another kind than yours.`);
    if (!one.complete) parts.push(" Some estimators are too slow for this budget in this study.");
    const query = new URLSearchParams({ task: one.task, budget: one.budget });
    parts.push(" Evidence: ", link("estimators.html?" + query, "all estimators there"), ".");
    return element("p", ...parts);
  }
  function several(found, asked, free) {
    const parts = [];
    const total = shown(asked.explanations * asked.budget);
    if (asked.explanations > 1 && !free)
      parts.push(`${shown(asked.explanations)} explanations take ${total} evaluations in total. `);
    const saved = found ? Object.entries(found.one.saved) : [];
    if (saved.length && !free) {
      const told = saved.map(([rival, number]) => `${number} (${rival})`);
      parts.push(`To reach the error that other methods have with ${shown(data.target)} evaluations on `);
      parts.push(`${found.one.label}, ${data.taken} needs per explanation: ${told.join("; ")}. `);
    }
    if (asked.explanations > 1 && !free)
      parts.push("Amortised methods, which are fitted once and then explain many rows, are not part of this comparison.");
    return parts.length ? [element("p", ...parts)] : [];
  }
  // The command that measures it on the reader's own model.
  function command(asked) {
    const model = asked.kind === "tree" ? "--model model.json" : "--function my_model.py:predict";
    const line = `shapaudit compare --data table.csv --target y ${model}`;
    const words = line.split(" ").flatMap((word) => [element("span", word), " "]);
    return [element("p", "On your own table and model this measures it:"), element("pre", element("code", ...words.slice(0, -1)))];
  }
  // The address keeps the situation, for other pages and for other people.
  function remember(asked) {
    const query = new URLSearchParams(location.search);
    for (const [name, key] of Object.entries(SITUATION)) query.set(key, asked[name]);
    history.replaceState(null, "", `${location.pathname}?${query}${location.hash}`);
  }
  function share() {
    const button = document.querySelector("[data-share]");
    if (!navigator.clipboard || !button) return;
    button.hidden = false;
    button.addEventListener("click", () =>
      navigator.clipboard.writeText(location.href).then(() => (button.textContent = "Copied")),
    );
  }
  let answered = null;
  function tell() {
    // A field that is left tells of its change once more: what is there may be about to be clicked.
    const question = new URLSearchParams(new FormData(form)).toString();
    if (question === answered) return;
    const first = answered === null;
    answered = question;
    if (!form.checkValidity()) {
      said.replaceChildren(element("p", "Enter whole numbers: at least two players and two evaluations."));
      return;
    }
    const asked = Object.fromEntries(new FormData(form));
    if (!first) remember(asked);
    for (const key of ["players", "budget", "explanations"]) asked[key] = Number(asked[key]);
    const parts = [];
    const exact = data.advice[asked.kind];
    if (exact) parts.push(known(exact));
    const whole = data.advice.coalitions;
    const fits = asked.players <= 40 && 2 ** asked.players <= asked.budget;
    if (whole && fits && !exact) parts.push(known(whole));
    const found = nearest(asked);
    const free = parts.length > 0;
    if (free && found) parts.push(element("p", "Where this is not possible, use an estimator:"));
    if (found) parts.push(measured(found, asked));
    parts.push(...several(found, asked, free), ...command(asked));
    said.replaceChildren(...parts);
  }
  const told = situation();
  for (const [name, key] of Object.entries(SITUATION))
    if (told.has(key)) form.elements[name].value = told.get(key);
  form.addEventListener("input", tell);
  form.addEventListener("change", tell);
  form.addEventListener("submit", (event) => event.preventDefault());
  tell();
  share();
}

carried();
forwarded();
all("[data-filters]").forEach(filtered);
all("table.sortable").forEach(sortable);
all("[data-helper]").forEach(helper);
tips();
copies();
printed();
addEventListener("hashchange", open);
// Browsers take the focus from what a page has focused before it was loaded.
addEventListener("load", () => setTimeout(open));
open();
