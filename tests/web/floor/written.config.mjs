// Holds the style sheets, as they are written, to their own order: whatever one sets, another can set anew by its weight.
export default {
  rules: {
    "declaration-no-important": true,
    // What makes a browser look at the whole page again at every change: any element beside one that comes, and `:has` of
    // anything, without a name to tell the one that came from others.
    "selector-disallowed-list": [
      ["/[+~] *[*](?=[,)]|$)/", "/[+~] *:not\\([^()]*\\)$/", "/:has\\([>+~ ]*([*]|:(?!is|where))/"],
      { splitList: true },
    ],
    // Of the scales (tokens.css), or measured by what they lie in. Room that is kept for something may have a size of its own.
    "declaration-property-value-disallowed-list": {
      "/^font(-size)?$/": ["/^(\\d+ )?[\\d.]+rem/"],
      "/^(margin|padding|gap|row-gap|column-gap)/": ["/(?<![\\d.])(0?\\.\\d+|1(\\.[0-6]\\d?)?|2(\\.5)?|3)rem/"],
    },
  },
};
