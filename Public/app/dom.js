// Elements from descriptions. Text becomes text nodes and nothing is ever parsed as markup, so nothing that a
// certificate says can become an element. Drawing again patches what stands there: focus, selection, scroll
// positions and opened <details> stay with the elements that stay.

const SVG = "http://www.w3.org/2000/svg";
const described = new WeakMap();

const make = (space) => (tag, props, ...children) => ({
  space, tag, props: props ?? {}, key: props?.key,
  children: children.flat(Infinity).filter((child) => child != null && child !== false && child !== ""),
});

/**
 * Describes an HTML element; children are descriptions, text, or lists of them; null and false are left out. Of the
 * properties, `on…` are handlers, `key` tells siblings apart from drawing to drawing, and `made` is called once with
 * the new element; all others are attributes.
 */
export const h = make(null);
/** Describes an SVG element. */
export const s = make(SVG);

/** Makes the children of `parent` what `children` describes. */
export function render(parent, children) {
  const focused = document.activeElement;
  patch(parent, [children].flat(Infinity).filter((child) => child != null && child !== false && child !== ""));
  // An element that had to move has lost the focus on the way.
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
}

function patch(parent, wanted) {
  const keyed = new Map();
  const free = [];
  for (const node of parent.childNodes) {
    const key = described.get(node)?.key;
    if (key != null) keyed.set(key, node);
    else free.push(node);
  }
  const kept = wanted.map((want) => {
    if (typeof want !== "object") return textNode(free, String(want));
    const old = want.key != null ? keyed.get(want.key) : take(free, want.tag, 1);
    const fits = old && old.localName === want.tag;
    const node = fits ? old : create(want);
    update(node, want);
    if (!fits) want.props.made?.(node);
    return node;
  });
  const staying = new Set(kept);
  for (const node of [...parent.childNodes]) if (!staying.has(node)) node.remove();
  kept.forEach((node, index) => {
    if (parent.childNodes[index] !== node) parent.insertBefore(node, parent.childNodes[index] ?? null);
  });
}

function take(free, name, type) {
  const index = free.findIndex((node) => node.nodeType === type && (type === 3 || node.localName === name));
  return index < 0 ? undefined : free.splice(index, 1)[0];
}

function textNode(free, value) {
  const node = take(free, "", 3) ?? document.createTextNode(value);
  if (node.data !== value) node.data = value;
  return node;
}

function create(want) {
  return want.space ? document.createElementNS(want.space, want.tag) : document.createElement(want.tag);
}

function update(node, want) {
  const before = described.get(node)?.props ?? {};
  for (const name in before) if (!(name in want.props)) set(node, name, null);
  for (const name in want.props) if (before[name] !== want.props[name]) set(node, name, want.props[name]);
  described.set(node, want);
  patch(node, want.children);
}

function set(node, name, value) {
  if (name === "key" || name === "made") return;
  if (name.startsWith("on")) node[name] = value;
  else if (name === "value") node.value = value ?? "";
  else if (value == null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}
