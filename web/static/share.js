// A picture is drawn on the phone itself, and goes where its owner wants: shared, if the phone can, or kept.
/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll("a[data-share]");
for (const link of links) {
  const picture = link.closest("figure").querySelector("img");
  const called = link.download.replace(/\.svg$/, ".png");

  async function drawn() {
    await picture.decode();
    const canvas = Object.assign(document.createElement("canvas"), {
      width: picture.naturalWidth,
      height: picture.naturalHeight,
    });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new File([await new Promise((done) => canvas.toBlob(done, "image/png"))], called, { type: "image/png" });
  }

  // Whether it went somewhere, or its owner has changed their mind.
  /** @param {File} file */
  async function shared(file) {
    if (!navigator.canShare?.({ files: [file] })) return false;
    return navigator.share?.({ files: [file], title: picture.alt }).then(
      () => true,
      (wrong) => wrong.name === "AbortError"
    );
  }

  /** @param {File} file */
  function keep(file) {
    const save = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: called });
    save.click();
    setTimeout(() => URL.revokeObjectURL(save.href), 60000);
  }

  picture.setAttribute("loading", "eager"); // a phone shares only at once after a touch: it must not have to wait for the picture
  const ready = drawn();
  ready.then(
    (file) => {
      if (navigator.canShare?.({ files: [file] })) link.textContent = link.getAttribute("data-share");
    },
    () => {}
  );
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      const file = await ready;
      if (!(await shared(file))) keep(file);
    } catch {
      location.assign(link.href); // a phone that draws none shows it
    }
  });
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-print]"))) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
