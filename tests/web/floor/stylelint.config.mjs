// Holds the style sheets, as older browsers get them, to what browsers knew at the end of 2020: Safari 14, Chromium 87.
// What holds them as they are written is beside it: written.config.mjs.
import { createRequire } from "node:module";

const installed = createRequire(new URL("../../../build/floor/", import.meta.url));

// What only adorns, or stands beside an older way to say it: where it is not known the page is shown all the same.
const ADORNS = [
  "accent-color",
  "appearance",
  "backface-visibility",
  "color-scheme",
  "contain",
  "forced-color-adjust",
  "offset-distance",
  "offset-rotate",
  "outline",
  "paint-order",
  "rx",
  "text-decoration-thickness",
  "text-wrap",
];
const ANY = ["/.*/"];

export default {
  plugins: [installed.resolve("stylelint-plugin-use-baseline")],
  rules: {
    "plugin/use-baseline": [
      true,
      {
        available: 2020,
        ignoreProperties: {
          ...Object.fromEntries(ADORNS.map((name) => [name, ANY])),
          "overflow-wrap": ["anywhere"], // after `break-word`
          width: ["fit-content"], // Firefox alone was later
          "aspect-ratio": ANY, // `older.js` sets the sides
        },
        ignoreAtRules: ["page"], // on paper: where it is not known the browser has a size and margins of its own
        ignoreFunctions: ["tan", "atan2"], // after a size that nearly fits
        ignoreSelectors: ["focus-visible"], // in rules of their own: without it the browser draws its own ring
      },
    ],
  },
};
