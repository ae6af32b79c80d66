// What a person who cannot see well, or cannot use a mouse, would stumble over. Returns sentences.
const problems = [];
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

function rgba(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
function over([r, g, b, a], [r2, g2, b2]) {
  return [r * a + r2 * (1 - a), g * a + g2 * (1 - a), b * a + b2 * (1 - a)];
}
function background(element) {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const colour = rgba(getComputedStyle(at).backgroundColor);
    if (colour[3] > 0) layers.push(colour);
    if (colour[3] === 1) break;
  }
  return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
}
function luminance(colour) {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
function isShown(element) {
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && getComputedStyle(element).visibility !== "hidden" && element.checkVisibility();
}

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Set();
while (texts.nextNode()) {
  const element = texts.currentNode.parentElement;
  if (!texts.currentNode.textContent.trim() || !isShown(element) || element.closest("svg") || ["SCRIPT", "NOSCRIPT"].includes(element.tagName)) continue;
  const style = getComputedStyle(element);
  const behind = background(element);
  const ratio = contrast(over(rgba(style.color), behind), behind);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
  const needed = isLarge ? 3 : 4.5;
  const key = `${element.tagName}.${element.className} ${style.color} on ${behind.map(Math.round)}`;
  if (ratio < needed && !seen.has(key)) {
    seen.add(key);
    problems.push(`contrast ${ratio.toFixed(2)} of '${texts.currentNode.textContent.trim().slice(0, 30)}' (${key})`);
  }
}
function name(element) {
  const by = element.getAttribute("aria-labelledby");
  const label = element.labels?.[0]?.textContent;
  return (element.getAttribute("aria-label") ?? (by && document.getElementById(by)?.textContent) ?? label ?? element.textContent ?? "").trim() || element.title;
}
for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0'], [role=img]")) {
  if (isShown(element) && !name(element)) problems.push(`no name: ${element.outerHTML.slice(0, 120)}`);
}
for (const image of document.images) if (!image.hasAttribute("alt")) problems.push(`no alt: ${image.outerHTML}`);
for (const element of document.querySelectorAll("[aria-labelledby]")) {
  if (!document.getElementById(element.getAttribute("aria-labelledby"))) problems.push(`labelled by nothing: ${element.outerHTML.slice(0, 120)}`);
}
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) problems.push(`id twice: ${id}`);
if (document.querySelectorAll("h1").length !== 1) problems.push(`${document.querySelectorAll("h1").length} h1`);
if (!document.documentElement.lang) problems.push("no language");
if (document.documentElement.scrollWidth > innerWidth) problems.push(`wider than the screen: ${document.documentElement.scrollWidth} of ${innerWidth}`);
return problems;
