// Elements from plain descriptions. Text is always text, never markup.

/** An element of `tag` with attributes, listeners (`onclick`) and children (elements, texts, nothing). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts `children` in the place of what `element` holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** Sets an attribute or takes it away, and only touches what differs. */
export function attribute(element, name, value) {
  if (value === null || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Sets a text, and only touches what differs. */
export function text(element, value) {
  if (element.textContent !== value) element.textContent = value;
}

/** A table that scrolls by itself where it is too wide. `columns` are `[title, isFigure]`. */
export function table(caption, columns, rows) {
  const cell = (value, index) => h("td", { class: columns[index][1] ? "figure" : null }, value);
  const head = columns.map(([title, figure]) => h("th", { scope: "col", class: figure ? "figure" : null }, title));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "sr" }, caption), h("thead", {}, h("tr", {}, head)),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell))))));
}
