// The data that the server stores about people, and for how long: the page in its reader's language.
import { $ } from "./dom.js";
import { addSheet, glyph, initGlyphs } from "./glyph.js";
import { otherTheme, settings, tools } from "./prefs.js";
import { language, loadStrings } from "./strings.js";

await Promise.all([loadStrings(), initGlyphs()]);
addSheet(await (await fetch("/glyphs/core.json")).json());

for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main > section"))) {
	part.hidden = part.lang !== language;
}
document.body.dataset.ready = "1";
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
