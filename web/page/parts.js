/* Parts of the page that several views use. */
export { rich } from "./table.js";

/** Creates an element. Attributes that start with `on` are listeners; null and false are left out. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Replaces the children of an element. Elements that stay keep their focus, a click on them goes on, and
    what is open stays open; only `onclick` and `onchange` are taken over. */
export function redraw(parent, children) {
  const before = [...parent.childNodes];
  children.forEach((next, at) => {
    const now = before[at];
    if (!now) parent.append(next);
    else if (now.nodeName !== next.nodeName || now.id !== next.id) now.replaceWith(next);
    else if (now !== next) take(now, next);
  });
  before.slice(children.length).forEach((one) => one.remove());
}

function take(now, next) {
  if (now.nodeType === Node.TEXT_NODE) {
    now.data = next.data;
    return;
  }
  for (const { name } of [...now.attributes]) if (!next.hasAttribute(name) && name !== "open") now.removeAttribute(name);
  for (const { name, value } of next.attributes) now.setAttribute(name, value);
  Object.assign(now, { onclick: next.onclick, onchange: next.onchange });
  redraw(now, [...next.childNodes]);
  if (["INPUT", "SELECT", "TEXTAREA"].includes(now.nodeName)) Object.assign(now, { value: next.value, checked: next.checked });
}

/** Creates a button. */
export const button = (text, onclick, more = {}) => make("button", { type: "button", class: "button", onclick, ...more }, text);

/** Creates a field with its label above. */
export const labelled = (text, field) => make("label", { class: "field" }, make("span", {}, text), field);

/** Creates a choice from pairs of a value and a text. */
export function choice(pairs, value, onchange) {
  const made = make("select", { onchange: ({ target }) => onchange(target.value) }, pairs.map(([value, text]) => new Option(text, value)));
  made.value = value;
  return made;
}

/** Creates a link to a text as a file. */
export function download(name, text, label = name) {
  const kind = name.endsWith(".html") ? "text/html" : name.endsWith(".csv") ? "text/csv" : "application/json";
  return make("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name }, label);
}

/** Creates a frame with a page of its own, as high as its content. */
export function frame(title, html) {
  // The address of a blob keeps the page's links to its own sections.
  const made = make("iframe", { title, src: URL.createObjectURL(new Blob([html], { type: "text/html" })) });
  made.addEventListener("load", () => {
    const inside = made.contentDocument;
    const fit = () => { made.style.height = `${inside.documentElement.getBoundingClientRect().height + 2}px`; };
    new made.contentWindow.ResizeObserver(fit).observe(inside.body);
    fit();
  });
  return made;
}

/** Writes an address with its parameters: texts as they are, other values as JSON. */
export function address(view, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return query.size ? `#${view}?${query}` : `#${view}`;
}

/** Reads a parameter of an address that is JSON. */
export function parsed(name, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`\`${name}\` is not valid JSON`);
  }
}

const through = async (stream, bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Packs a long text for an address. */
export async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Unpacks a text of an address. */
export async function unpack(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
  } catch {
    throw new Error("the packed hand in the link is damaged");
  }
}
