// The last act again, slowly: what the big screen played for it is played once more.
import { live } from "./companion.js";

const PACE = 0.35; // of its usual speed
let shown = ""; // which act is shown again

/** @param {Element} stage */
function playSlowly(stage) {
  live.removeAttribute("data-ended");
  const anew = [...stage.childNodes].map((node) => node.cloneNode(true));
  stage.replaceChildren(...anew); // what is new on a page begins to move
  for (const animation of stage.getAnimations?.({ subtree: true }) ?? []) animation.updatePlaybackRate?.(PACE);
}

live.addEventListener("fresh", () => {
  const again = live.querySelector("[data-again]")?.id ?? "";
  const stage = live.querySelector("[data-slowly]");
  if (again && stage && again !== shown) playSlowly(stage);
  shown = again;
});
