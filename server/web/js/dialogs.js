// Dialogs of the table: its links, its keys, the proofs of its record, a branch from the present step.
import { $, button, dialogAt, h } from "./dom.js";
import { drawings } from "./glyph.js";
import { isOther } from "./holder.js";
import { match, mode, say, token } from "./page.js";
import { dialog, linkRow, myMatches, replayLink, seatLink, watchLink } from "./prefs.js";
import { askSeats, chooseSeats } from "./seats.js";
import { t } from "./strings.js";

/** @typedef {import("./live.js").Live} Live */

/** @param {Live} live */
export async function showLinks(live) {
	const { deviceButtons, invitationRow } = await import("./devices.js");
	const mine = myMatches().filter(m => m.match === match);
	const seats = mine.map(m => {
		if (m.invitation) {
			return invitationRow(live, m, () => showLinks(live));
		}
		const save = async () => (await import("./seatfile.js")).saveSeat(m);
		const link = linkRow(t("seatLink", { seat: m.seat + 1 }), seatLink(match, m.token, m.key));
		return [link, button(".ghost", { onclick: save }, t("saveSeat"))];
	});
	const seated = live.welcome?.viewer.as === "seat";
	const { verifier } = live.parts.check;
	const isLockedOut = seated && (await isOther(live.ownKey, verifier?.seated.get(live.seat)?.key));
	dialog(
		t("links"),
		mode !== "replay" && linkRow(t("watchLink"), watchLink(match)),
		linkRow(t("replayLink"), replayLink(match)),
		seats,
		mine.length > 0 && h("p.quiet", t("seatLinkWarning")),
		seated && deviceButtons(live, isLockedOut),
		seated && shareButtons(live),
	);
}

/** @param {Live} live */
const shareButtons = live => [
	button(".ghost", { onclick: () => share(live) }, t("share")),
	button(".ghost", { onclick: () => share(live, true) }, t("shareDesk")),
];

/** Lets a person see the view of one's own seat, or direct, until the permission is taken back. @param {Live} live @param {boolean} [directs] */
function share(live, directs = false) {
	live.handlers.granted = (/** @type {Wire.Granted} */ { token: key }) => {
		const revoke = button(".ghost", { onclick: () => live.send({ t: "revoke" }) }, t("revoke"));
		const desk = `${location.origin}/desk#m=${match}&t=${key}`;
		const links = directs
			? [linkRow(t("directorLink"), desk), live.welcome?.open_cards && linkRow(t("directorOpenLink"), `${desk}&open=1`)]
			: linkRow(t("casterLink"), `${watchLink(match)}&t=${key}`);
		dialog(
			t(directs ? "shareDesk" : "share"),
			links,
			h("p.quiet", t(directs ? "directorWarning" : "casterWarning")),
			revoke,
		);
	};
	live.handlers.revoked = () => {
		dialogAt("#dialog").close();
		say(t("revoked"));
	};
	live.send({ t: "grant", ...(directs && { directs }) });
}

export function showKeys() {
	const keys = drawings.keys.map(([key, what]) => [h("dt", key), h("dd", t(what))]);
	dialog(t("keys"), h("dl", keys));
}

/** The owner of the dice, and the seats for which the server could have answered. @param {import("../client/seating.js").MatchVerifier} verifier */
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

/** The text of the seal after a press. @param {import("../client/check.js").Check} check @param {string} short the part of the text that is always shown */
export function showRecord(check, short) {
	const { fault, seq, verifier } = check;
	const { dice = 0, openings = 0 } = verifier ?? {};
	const lacks = [...(verifier?.lacks ?? []), ...(check.signed < seq ? ["signatures"] : [])].map(name =>
		t(`lacks.${name}`),
	);
	const text = fault ? `${short} ${fault.why}` : [...lacks, t("verifiedLong", { seq, dice, openings })].join(" ");
	dialog(
		t("record"),
		h("p", text),
		verifier && trust(verifier),
		linkRow(t("headAt", { seq }), check.head),
		h("p.quiet", t("headWhy")),
	);
}

/**
 * Creates a match that continues from this position; everything that the viewer did not know is drawn anew.
 * @param {Live} live @param {Wire.GameInfo} game @param {Scene} scene
 */
export function showBranch(live, game, scene) {
	const { seq = 0, viewer } = scene;
	const seats = chooseSeats({ ...game, seats: Object.keys(scene.seats).length }, viewer.seat ?? 0);
	const hints = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
	const { around, steps } = live.parts;
	const isOver = steps.time?.at(steps.time.length).prompt?.mode === "over";
	const begin = () => {
		if (live.connection) {
			askSeats(live.connection, { ...branchOf(game, seq, seats.wishes()), hints: hints.checked }, game);
		}
	};
	if (isOver || around.table.hints) {
		// a question there would tell of the match under way
		seats.rows.append(h("label.set", hints, t("agreeHints")));
	}
	const shown = dialog(t("whatIfTitle", { n: seq }), h("p", t("whatIfLong")), seats.rows);
	$("footer", shown).prepend(button(".go", { onclick: begin }, t("begin")), " ");
}

/** @param {Wire.GameInfo} game @param {number} seq @param {Wire.SeatWish[]} seats @returns {Wire.Branch} */
function branchOf(game, seq, seats) {
	const title = t("whatIf", { n: seq, title: game.title });
	return { t: "branch", match, seq, seats, ...(token && { token }), title };
}
