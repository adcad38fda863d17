// The seal in the top bar: the record is checked in this page, and here it says how far.
import { $, clear, h } from "./dom.js";
import { ico } from "./glyph.js";
import { inline, tell } from "./page.js";
import { dialog, linkRow } from "./prefs.js";
import { t } from "./strings.js";

/** @typedef {import("../client/check.js").Check} Check */

const seal = $("#seal");

/** Shows how far a match is checked, or which line is wrong. @param {Check} check */
export function showSeal(check) {
	const { fault, seq } = check;
	seal.classList.toggle("broken", Boolean(fault));
	seal.title = fault ? t("brokenAt", { seq: fault.seq, why: fault.why }) : t("verifiedTo", { seq });
	clear(seal).append(ico("seal"), h("span", seal.title));
	seal.hidden = !seq && !fault;
	seal.dataset.seq = String(seq);
	showBranch(check);
	if (fault) {
		tell("broken", `${seal.title} ${fault.why}`, true);
	}
}

/** Says above the board where the match branched from another. @param {Check} check */
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

/** Whose the dice are, and for which seats the server could have answered. @param {import("../client/seating.js").MatchVerifier} verifier */
function trust({ shares, unproven, unproved, seated, signatures }) {
	const { names, all, signed } = shares;
	const who = names.join(", ");
	const proven = t(signed ? "sharesProven" : "sharesUnsigned");
	const dice = names.length ? `${t(all ? "sharesAll" : "sharesSome", { names: who })} ${proven}` : t("sharesServer");
	const seats = unproven.map(([seat, seq]) =>
		t(seq ? "signsFrom" : "unsigned", { name: seated.get(seat)?.name ?? "", seq }),
	);
	return h(
		"p",
		[dice, ...seats, signatures && t("signaturesSeen", { n: signatures }), unproved && t("unproved")]
			.filter(Boolean)
			.join(" "),
	);
}

/** What the seal says when it is pressed. @param {Check} check */
function explain(check) {
	const { fault, seq, verifier } = check;
	const { dice = 0, openings = 0 } = verifier ?? {};
	const text = fault ? `${seal.title} ${fault.why}` : t("verifiedLong", { seq, dice, openings });
	dialog(
		t("record"),
		h("p", text),
		verifier && trust(verifier),
		linkRow(t("headAt", { seq }), check.head),
		h("p.quiet", t("headWhy")),
	);
}

/** @param {Check} check */
export function hearSeal(check) {
	seal.hidden = true;
	seal.onclick = () => explain(check);
}
