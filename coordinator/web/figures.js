// How figures and times are written.

const grouped = new Intl.NumberFormat("en");

/** `12,345`. */
export const whole = (number) => grouped.format(number);

/** A large number in three digits and a letter: `1.53M`. */
export function short(number) {
  for (const [size, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= size) return (number / size).toPrecision(3) + letter;
  }
  return String(Math.round(number));
}

/** `3m 20s` from seconds. */
export function period(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [[86400, "d"], [3600, "h"], [60, "m"], [1, "s"]];
  const first = parts.findIndex(([size]) => whole >= size);
  if (first < 0) return "0s";
  return parts.slice(first, first + 2).map(([size, unit], index) => {
    const count = index === 0 ? Math.floor(whole / size) : Math.floor((whole % parts[first][0]) / size);
    return count > 0 || index === 0 ? `${count}${unit}` : "";
  }).filter(Boolean).join(" ");
}

/** Seconds since a point in time. */
export const age = (at) => (Date.now() - Date.parse(at)) / 1000;

/** `3m 20s ago`, or a dash. */
export const ago = (at) => (at ? `${period(age(at))} ago` : "–");

/** The game of an instance, and its name within it. */
export function split(instance) {
  const slash = instance.indexOf("/");
  return [instance.slice(0, slash), instance.slice(slash + 1)];
}

/** The page of an instance. */
export const pageOf = (instance) => `/instances/${instance.split("/").map(encodeURIComponent).join("/")}`;

/** What an instance's score counts. */
export const unit = (instance) => (instance.startsWith("tetris/") ? "removals" : "points");
