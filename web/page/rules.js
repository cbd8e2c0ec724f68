/* Rule sets as experiments write them: a name, or an object with a `name`, a `base` and changed rules. */
import { choice, labelled, make, rich } from "./parts.js";

const NOT_RULES = ["name", "about", "base", "sweep"];

/** Returns the name of a rule set or a strategy. */
export const nameOf = (spec) => (typeof spec === "string" ? spec : spec.name);

const baseOf = (game, spec) => (typeof spec === "string" ? spec : spec.base ?? game.variants[0].name);

/** Returns the changed rules. */
const changesOf = (spec) => (typeof spec === "string" ? {} : Object.fromEntries(Object.entries(spec).filter(([name]) => !NOT_RULES.includes(name))));

/** Returns all rules of a rule set. A base may be another rule set of the experiment. */
export function rulesOf(game, spec, specs = [], depth = 0) {
  if (depth > specs.length) return {};
  const base = baseOf(game, spec);
  const other = specs.find((one) => one !== spec && typeof one !== "string" && one.name === base);
  const known = game.variants.find((variant) => variant.name === base);
  return { ...(other ? rulesOf(game, other, specs, depth + 1) : known?.rules), ...changesOf(spec) };
}

/** Returns the rule set with these changes, and with a name that tells them. A sweep has its own names. */
function specOf({ name: pattern, sweep }, base, changes) {
  if (sweep) return { name: pattern, base, ...changes, sweep };
  const parts = Object.entries(changes).map(([name, value]) => `${name}-${typeof value === "object" ? "own" : value}`);
  if (!parts.length) return base;
  const name = `${base}-${parts.join("-")}`.toLowerCase().replaceAll(/[^a-z0-9_.-]/g, "-");
  return { name: name.length <= 60 ? name : `${base}-changed`.slice(0, 60), base, ...changes };
}

/** Returns the fixed values of a field, and true if other values are possible. */
function valuesOf(schema) {
  const all = schema.oneOf ?? schema.anyOf ?? [];
  const fixed = all.filter((one) => "const" in one).map((one) => one.const);
  return [schema.type === "boolean" ? [true, false] : fixed, schema.type !== "boolean" && fixed.length < Math.max(all.length, 1)];
}

/** Creates the input of a field. */
function input(schema, value, onchange) {
  const [fixed, isOpen] = valuesOf(schema);
  const shown = value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  if (!isOpen) return choice(fixed.map((one) => [String(one), String(one)]), shown, (text) => onchange(fixed.find((one) => String(one) === text)));
  const isNumber = [schema.type].flat().includes("integer");
  const read = ({ target: { value: text } }) => {
    if (text === "") return onchange(null);
    if (isNumber) return onchange(Number(text));
    try {
      return onchange(JSON.parse(text));
    } catch {
      return onchange(text);
    }
  };
  const made = make("input", { type: isNumber ? "number" : "text", min: schema.minimum, max: schema.maximum, placeholder: fixed.join(", ") || "none", onchange: read, autocomplete: "off" });
  made.value = shown;
  return made;
}

/** Creates a form for a rule set. `onchange` gets the changed rule set. */
export function rulesForm(game, spec, onchange, specs = []) {
  const base = baseOf(game, spec);
  const changes = changesOf(spec);
  const bases = game.variants.map((variant) => [variant.name, variant.name]);
  if (!bases.some(([name]) => name === base)) bases.push([base, base]);
  const before = rulesOf(game, base, specs);
  const about = game.variants.find((variant) => variant.name === base)?.about;
  const count = Object.keys(changes).length;
  const summary = make("summary", {}, count ? `Rules, ${count} changed` : "Change rules");
  const rows = game.fields.map((field) => {
    const schema = game.rules.properties[field.name];
    if (!schema || spec.sweep?.[field.name] !== undefined) return null;
    const normal = before[field.name] ?? schema.default ?? null;
    const isChanged = field.name in changes;
    const set = (value) => {
      const next = { ...changes, [field.name]: value };
      if (JSON.stringify(value) === JSON.stringify(normal)) delete next[field.name];
      onchange(specOf(spec, base, next));
    };
    const made = input(schema, isChanged ? changes[field.name] : normal, set);
    made.dataset.rule = field.name;
    const meaning = rich("small", `${field.meaning}${valuesOf(schema)[1] ? ` Range: ${field.range}.` : ""}${isChanged ? ` In \`${base}\`: ${normal === null ? "none" : JSON.stringify(normal)}.` : ""}`);
    return make("div", { class: isChanged ? "rule changed" : "rule" }, labelled(field.name, made), meaning);
  });
  const fold = make("details", { class: "rules", open: count > 0 }, summary, make("div", { class: "columns" }, rows));
  const sweep = spec.sweep ? rich("p", `Every combination of \`${JSON.stringify(spec.sweep)}\` is played.`, "dim") : null;
  return [
    labelled("Rule set", choice(bases, base, (name) => onchange(specOf(spec, name, {})))),
    make("p", { class: "dim" }, about ?? ""), sweep ?? "",
    fold,
  ];
}
