// The seal in the top bar: it shows how far this page has checked the record.
import { $, clear, h } from "./dom.js";
import { ico } from "./glyph.js";
import { inline, tell } from "./page.js";
import { t } from "./strings.js";

/** @typedef {import("../client/check.js").Check} Check */

const seal = $("#seal");
/** The line at which the seal shows by itself what was checked, because a link has asked for it. */
let wanted = Infinity;

/** Shows what was checked, as soon as everything up to a line is checked. @param {number} seq */
export const showWhen = seq => {
	wanted = seq;
};

/** Shows how far a match is checked, or which line is wrong. @param {Check} check */
export function showSeal(check) {
	const { fault, seq } = check;
	seal.classList.toggle("broken", Boolean(fault));
	seal.title = fault ? t("brokenAt", { seq: fault.seq, why: fault.why }) : t("verifiedTo", { seq });
	clear(seal).append(ico("seal"), h("span", seal.title));
	seal.hidden = !seq && !fault;
	seal.dataset.seq = String(seq);
	showBranch(check);
	if (seq >= wanted || (fault && wanted < Infinity)) {
		wanted = Infinity;
		seal.click();
	}
	if (fault) {
		tell("broken", `${seal.title} ${fault.why}`, true);
	}
}

/** States above the board that the match branched from another one, and at which line. @param {Check} check */
function showBranch(check) {
	const from = check.verifier?.branch;
	const bar = $("#branched");
	if (!from || !bar.hidden) {
		return;
	}
	const trunk = h("a", { href: `/replay#m=${from.match}&seq=${from.line}` }, t("toTrunk"));
	clear(bar, t("whatIfBar", from), " ", !inline && trunk);
	bar.hidden = false;
}

/** @param {Check} check */
export function hearSeal(check) {
	seal.hidden = true;
	seal.onclick = async () => (await import("./dialogs.js")).showRecord(check, seal.title);
}
