"use strict";
// The curves of the first page, drawn as SVG on logarithmic axes.
(() => {
  const form = document.querySelector("[data-chart]");
  if (!form) return;
  const data = JSON.parse(document.getElementById("curves-data").textContent);
  const box = document.querySelector(".chart");
  const legend = document.querySelector(".legend");
  const note = document.querySelector("[data-chart-note]");
  const ACCENT = "#0072b2";
  const COLOURS = ["#b04a00", "#007a5a", "#aa4499", "#7a6000", "#7a4a2b", "#555555"];
  const chosen = new Set(data.chosen);
  const HEIGHT = 380, LEFT = 52, TOP = 12, BOTTOM = 44;

  function svg(tag, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  }
  // Powers of ten within some limits, and twice and five times these where there are few.
  function ticks(low, high) {
    const found = [];
    const steps = Math.log10(high / low) < 3.2 ? [1, 2, 5] : [1];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
      for (const step of steps) found.push(step * 10 ** power);
    return found.filter((value) => value >= low * 0.999 && value <= high * 1.001);
  }
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `600 12px ${getComputedStyle(box).fontFamily}`;
  const scale = (low, high, from, to) => (value) =>
    from + ((to - from) * Math.log(value / low)) / Math.log(high / low);
  const short = (value) => value.toLocaleString("en", { maximumSignificantDigits: 3 });

  function coloured(task) {
    const shown = task.estimators.filter((one) => chosen.has(one.name));
    let next = 0;
    return new Map(
      shown.map((one) => [
        one.name,
        one.name === data.ours ? ACCENT : COLOURS[next++ % COLOURS.length],
      ]),
    );
  }
  // What stands at the ends of the coloured curves: names, or letters where these have no room.
  function written(task, colours, narrow) {
    const shown = task.estimators.filter((one) => colours.has(one.name));
    return new Map(shown.map((one, k) => [one.name, narrow ? String.fromCharCode(65 + (k % 26)) : one.label]));
  }
  function draw() {
    const task = data.tasks.find((one) => one.name === form.elements.task.value);
    const { axis, seconds } = form.elements;
    seconds.parentNode.hidden = axis.value !== "seconds";
    // Seconds of an explanation: those of the model, and those of the estimator where they are on record.
    const each = axis.value === "seconds" && Number(seconds.value) > 0 ? Number(seconds.value) : null;
    const timed = task.estimators.some((one) => one.points.some((point) => point[4] !== null));
    const spent = (point) => (each === null ? point[0] : point[0] * each + (point[4] ?? 0));
    note.hidden = each === null || timed;
    const width = Math.max(300, box.clientWidth);
    const colours = coloured(task);
    const names = written(task, colours, width < 500);
    const right = 14 + Math.max(0, ...[...names.values()].map((name) => ruler.measureText(name).width));
    // A relative error below rounding is not drawn: the logarithm has no place for it.
    const points = (one) =>
      one.points.filter((point) => point[1] > 1e-9 && (each === null || !timed || point[4] !== null));
    const everything = task.estimators.flatMap(points);
    if (!everything.length) {
      const told = document.createElement("p");
      told.textContent = "All estimators are exact on this task, up to rounding errors.";
      box.replaceChildren(told);
      choices(task, colours, names);
      return;
    }
    const xs = everything.map(spent);
    const ys = everything.flatMap((point) => [point[1], Math.min(point[3] ?? point[1], 10 * point[1])]);
    const least = Math.max(Math.min(...ys), 1e-5), most = Math.min(Math.max(...ys), 20);
    const [low, high] = [Math.min(...xs), Math.max(...xs) * 1.001];
    const x = scale(low, high, LEFT, width - right);
    const y = scale(least / 1.15, most * 1.15, HEIGHT - BOTTOM, TOP);
    const inside = (value) => Math.min(HEIGHT - BOTTOM, Math.max(TOP, y(value)));
    const picture = svg("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" });
    let last = -Infinity;
    for (const value of ticks(low, high)) {
      const at = x(value);
      picture.append(svg("line", { x1: at, x2: at, y1: TOP, y2: HEIGHT - BOTTOM, class: "grid" }));
      if (at - last < 46) continue;
      last = at;
      picture.append(svg("text", { x: at, y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, short(value)));
    }
    for (const value of ticks(least / 1.15, most * 1.15)) {
      picture.append(svg("line", { x1: LEFT, x2: width - right, y1: y(value), y2: y(value), class: "grid" }));
      picture.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, short(100 * value) + " %"));
    }
    const what = each === null ? "evaluations" : timed ? "seconds of an explanation" : "seconds of the model";
    picture.append(svg("text", { x: (LEFT + width - right) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, what));
    const path = (own, of) => own.map((point) => `${x(spent(point)).toFixed(1)},${inside(of(point)).toFixed(1)}`);
    const labels = [];
    const order = [...task.estimators].sort((a, b) => colours.has(a.name) - colours.has(b.name));
    for (const one of order) {
      const own = points(one);
      const colour = colours.get(one.name);
      if (!own.length) continue;
      const banded = own.filter((point) => point[2] > 0);
      if (colour && banded.length > 1) {
        const upper = path(banded, (point) => point[3]), lower = path(banded, (point) => point[2]).reverse();
        picture.append(svg("polygon", { points: [...upper, ...lower].join(" "), fill: colour, opacity: 0.15 }));
      }
      const line = svg("polyline", { points: path(own, (point) => point[1]).join(" "), class: colour ? "" : "other" });
      if (colour) line.setAttribute("stroke", colour);
      line.append(svg("title", {}, one.label));
      picture.append(line);
      const last = own[own.length - 1];
      const [end, error] = [x(spent(last)), last[1]];
      if (colour) {
        picture.append(svg("circle", { cx: end, cy: inside(error), r: 3, fill: colour }));
        labels.push({ at: inside(error), x: end, text: names.get(one.name), colour });
      }
    }
    place(labels).forEach((one) =>
      picture.append(svg("text", { x: one.x + 7, y: one.at + 4, fill: one.colour, class: "name" }, one.text)));
    box.replaceChildren(picture);
    choices(task, colours, names);
  }
  // Names at the ends of curves, moved apart.
  function place(labels) {
    labels.sort((a, b) => a.at - b.at);
    labels.forEach((one, k) => {
      if (k) one.at = Math.max(one.at, labels[k - 1].at + 15);
    });
    return labels;
  }
  function choices(task, colours, names) {
    const kept = document.activeElement && document.activeElement.value;
    const within = legend.contains(document.activeElement);
    const made = task.estimators.map((one) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      input.type = "checkbox";
      input.value = one.name;
      input.checked = colours.has(one.name);
      input.addEventListener("change", () => {
        if (input.checked) chosen.add(one.name);
        else chosen.delete(one.name);
        draw();
      });
      const name = names.get(one.name) ?? one.label;
      label.append(input, name === one.label ? ` ${name}` : ` ${name}: ${one.label}`);
      if (colours.has(one.name)) label.style.color = colours.get(one.name);
      return label;
    });
    legend.replaceChildren(legend.querySelector("legend"), ...made);
    if (within) [...legend.querySelectorAll("input")].find((one) => one.value === kept)?.focus();
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const event of ["input", "change"]) form.addEventListener(event, draw);
  addEventListener("resize", draw);
  // The task most like the situation in the address; one of a model that needs sampling without one.
  const players = Number(new URLSearchParams(location.search).get("players"));
  const options = [...form.elements.task.options];
  const far = (one) => Math.abs(Math.log(one.dataset.players / players));
  const first = players
    ? [...options].sort((a, b) => far(a) - far(b))[0]
    : options.find((one) => one.dataset.kind !== "tree") || options[0];
  first.selected = true;
  draw();
})();
