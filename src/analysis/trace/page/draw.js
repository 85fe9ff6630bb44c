// Making elements, and pictures that can be saved.
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value); else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const text = (x, y, words, attributes = {}) => shape("text", {x, y, ...attributes}, words);
const line = (x1, y1, x2, y2, kind) => shape("line", {x1, y1, x2, y2, class: kind});
const rect = (x, y, width, height, kind, ...children) =>
  shape("rect", {x, y, width: Math.max(0.5, width), height, class: kind}, ...children);
const title = (words) => shape("title", {}, words);

/** Patterns, so that nothing depends on colour: hatched waits, crossed spins, dotted what is not known. */
function patterns() {
  const pattern = (id, size, ...parts) => shape("pattern", {id, width: size, height: size, patternUnits: "userSpaceOnUse"},
    shape("rect", {width: size, height: size, fill: "#fff"}), ...parts);
  const stroke = (d) => shape("path", {d, stroke: "#5a5a5a", "stroke-width": 1, fill: "none"});
  return shape("defs", {}, pattern("waits", 6, stroke("M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2")),
    pattern("spins", 6, stroke("M0,0 l6,6 M0,6 l6,-6")),
    pattern("unknown", 5, shape("circle", {cx: 2.5, cy: 2.5, r: .8, fill: "#5a5a5a"})),
    shape("marker", {id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, orient: "auto-start-reverse"},
      shape("path", {d: "M0,0 L10,5 L0,10 z", fill: "#1a1a1a"})));
}

const drawing = (width, height, label, ...children) =>
  shape("svg", {xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label}, patterns(), ...children);

/** The text of a file that shows the picture by itself. */
function svgText(svg) {
  const copy = svg.cloneNode(true);
  const rules = [...document.styleSheets[0].cssRules].map((rule) => rule.cssText).filter((rule) => rule.startsWith("svg"));
  copy.prepend(shape("style", {}, rules.join("\n").replaceAll("svg .", ".").replaceAll("svg text", "text")));
  return new XMLSerializer().serializeToString(copy);
}

function save(svg, name) {
  const link = element("a", {href: URL.createObjectURL(new Blob([svgText(svg)], {type: "image/svg+xml"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A picture with its caption and the button that saves it. */
function figure(svg, name, caption, attributes = {}) {
  const button = element("button", {type: "button", class: "save", onclick: () => save(svg, `${name}.svg`)}, "Save as SVG");
  return element("figure", {}, element("div", {class: "scroll", tabindex: 0, ...attributes}, svg),
    element("figcaption", {}, caption, " ", button));
}

const clip = (words, most) => (words.length > most ? words.slice(0, most - 1) + "…" : words);
