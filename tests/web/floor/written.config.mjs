// Holds the style sheets, as they are written, to their own order: whatever one sets, another can set anew by its weight.
export default {
  rules: {
    "declaration-no-important": true,
    // Letters have a size of the scale (tokens.css), or are measured by what they lie in.
    "declaration-property-value-disallowed-list": { "/^font(-size)?$/": ["/^(\\d+ )?[\\d.]+rem/"] },
  },
};
