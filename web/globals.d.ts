// What the pages' scripts leave on the window for one another, and what older browsers have there.
interface Window {
  /** Set once a page's own script runs: `plain.js` waits for it. */
  runs?: boolean;
  /** Set once a script has failed: from then on the browser itself sends the forms. */
  plainly?: boolean;
  webkitAudioContext?: typeof AudioContext;
}

/**
 * What the live part says of itself each time that it was renewed; `missed`: nobody saw that happen; `focused`: what is
 * about to get the focus, because what had it is gone.
 */
type Fresh = CustomEvent<{ missed: boolean; focused: Element | null }>;
