// Holds the pages' scripts to the oldest browsers that they must run in. What those know is MDN's data, no list of ours.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const installed = createRequire(new URL("../../../build/floor/", import.meta.url));
const known = installed("@mdn/browser-compat-data");
const FLOOR = JSON.parse(readFileSync(new URL("floor.json", import.meta.url), "utf8"));
const BY_AN_OLDER_NAME = ["AudioContext", "BaseAudioContext", "OfflineAudioContext"]; // Safari 14.0: webkitAudioContext
const OF_OUR_VALUES = ["delay", "to"]; // a timing's, of which the data knows nothing, and our own
const ASKS_BY_SELECTOR = ["querySelector", "querySelectorAll", "closest", "matches"];

const older = (version, wanted) => {
  if (!version || version === "preview") return false;
  const [mine, floor] = [version, wanted].map((text) => text.replace("≤", "").split(".").map(Number));
  return mine[0] < floor[0] || (mine[0] === floor[0] && (mine[1] ?? 0) <= (floor[1] ?? 0));
};
const has = (support, floor) =>
  [support ?? []]
    .flat()
    .some(
      (one) =>
        !one.version_removed && !one.flags && !one.prefix && !one.alternative_name && older(one.version_added, floor)
    );
const atFloor = (feature) =>
  !feature.__compat ||
  Object.entries(FLOOR).every(([browser, version]) => has(feature.__compat.support[browser], version));

// A member's name → whether anything that has it is there at the floor.
const members = new Map();
const globals = new Map(Object.entries({ ...known.api, ...known.javascript.builtins }));
for (const [named, owner] of globals)
  for (const [name, member] of Object.entries(owner)) {
    const called = name.replace(/_(static|event)$/, "");
    if (name !== "__compat")
      members.set(
        called,
        members.get(called) || BY_AN_OLDER_NAME.includes(named) || (atFloor(owner) && atFloor(member))
      );
  }

const isNewer = (name) => members.get(name) === false && !OF_OUR_VALUES.includes(name);
const guarded = (node) =>
  node.parent.optional ||
  (node.optional && isNewer(node.object.property?.name)) ||
  (node.parent.type === "LogicalExpression" && node.parent.left === node && node.parent.operator !== "&&") ||
  (node.parent.type === "UnaryExpression" && node.parent.operator === "typeof");

const newer = {
  meta: {
    messages: { newer: "{{name}} is newer than the oldest browsers (floor.json): guard it, or write it otherwise" },
  },
  create(context) {
    const report = (node, name) => context.report({ node, messageId: "newer", data: { name } });
    return {
      MemberExpression(node) {
        const name = node.computed ? null : node.property.name;
        const lacking =
          node.object.name === "window" && globals.has(name) ? !atFloor(globals.get(name)) : isNewer(name);
        if (lacking && !guarded(node)) report(node.property, name);
      },
      ObjectPattern(node) {
        for (const { key } of node.properties) if (key && isNewer(key.name)) report(key, key.name);
      },
      NewExpression(node) {
        const built = globals.get(node.callee.name)?.[node.callee.name] ?? {};
        const more = Object.entries(built).find(([name, one]) => name.endsWith("_parameter") && !atFloor(one));
        if (more && node.arguments.length > 1) report(node, `${node.callee.name}'s ${more[0]}`);
      },
      CallExpression(node) {
        if (!ASKS_BY_SELECTOR.includes(node.callee.property?.name)) return;
        const [asked] = node.arguments;
        const texts = asked?.type === "Literal" ? [asked.value] : (asked?.quasis ?? []).map((one) => one.value.cooked);
        for (const [, name] of texts.join(" ").matchAll(/::?([a-z-]+)/g))
          if (known.css.selectors[name] && !atFloor(known.css.selectors[name])) report(asked, `:${name}`);
      },
      "Program:exit"(node) {
        for (const { identifier } of context.sourceCode.getScope(node).through) {
          const owner = globals.get(identifier.name);
          if (owner && !atFloor(owner) && !guarded(identifier)) report(identifier, identifier.name);
        }
      },
    };
  },
};

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2020, sourceType: "module" }, // what is newer in the language itself is no syntax
    plugins: { floor: { rules: { newer } } },
    rules: { "floor/newer": "error" },
  },
  { files: ["**/older.js"], languageOptions: { ecmaVersion: 2018, sourceType: "script" } }, // what it does helps below the floor too
  { files: ["**/plain.js"], languageOptions: { ecmaVersion: 5, sourceType: "script" } },
];
