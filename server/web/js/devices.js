// The devices of one's own seat: their number, closing it on the others, another key, withdrawing an invitation.
import { b64, tagged, utf8 } from "../client/hashes.js";
import { newKey, random, sign } from "../client/keys.js";
import { actMessage } from "../client/seating.js";
import { button, h } from "./dom.js";
import { match, token } from "./page.js";
import { inviteLink, keepMatch, linkRow, myMatches, seatLink } from "./prefs.js";
import { t } from "./strings.js";

/** @typedef {import("./live.js").Live} Live */

const TOKEN_BYTES = 32;
const drawn = () => b64(random(TOKEN_BYTES));
const kept = () => myMatches().find(one => one.match === match && one.token === token);

/** Continues with another link of one's own seat. @param {string} link */
function goOn(link) {
	location.replace(link);
	location.reload();
}

/** The signature of the seat's key over the hash of its new token, if the seat has a key. @param {Live} live @param {string} fresh */
async function vouched({ ownKey, seat, parts }, fresh) {
	const { verifier } = parts.check;
	if (!ownKey || !verifier?.seated.get(seat)?.key) {
		return {};
	}
	const said = ["token", b64(tagged("token", utf8(fresh)))];
	return { signature: await sign(ownKey, actMessage(verifier.mid, { seat }, said)) };
}

/** Closes one's own seat on all other devices: a new token opens it, which this browser stores before it sends the request. @param {Live} live */
async function closeOthers(live) {
	const held = kept();
	const fresh = drawn();
	const signed = await vouched(live, fresh);
	if (held) {
		keepMatch({ ...held, token: fresh, former: token });
		live.handlers.renewed = () => goOn(seatLink(match, fresh, live.ownKey));
		live.send({ t: "renew", token: fresh, ...signed });
	}
}

/** Signs with a new key from now on; no former key vouches for it, and everybody is told so. @param {Live} live */
async function replaceKey(live) {
	const key = confirm(t("newKeySure")) && (await newKey());
	const held = kept();
	if (key && held) {
		keepMatch({ ...held, key: key.own, open: key.open, named: false });
		live.send({ t: "key", key: key.open });
		live.ownKey = key.own;
		history.replaceState(null, "", seatLink(match, token, key.own));
	}
}

/** Shows one's own link as a picture for a second device; drawn here, so that no server learns it. @param {Live} live @param {Element} place */
async function showPicture({ ownKey }, place) {
	const { drawn } = await import("./qr.js");
	place.replaceWith(drawn(new URL(seatLink(match, token, ownKey), location.href).href, t("scanSeat")));
}

/** @param {Live} live */
function pictureButton(live) {
	/** @type {HTMLElement} */
	const found = button(".ghost", { onclick: () => showPicture(live, found) }, t("scanSeat"));
	return found;
}

/** The acts of a seat's holder about its devices. @param {Live} live @param {boolean} isLockedOut */
export const deviceButtons = (live, isLockedOut) => [
	live.devices > 1 && h("p.quiet", t("openOn", { n: live.devices })),
	!isLockedOut && pictureButton(live),
	!isLockedOut && button(".ghost", { onclick: () => closeOthers(live) }, t("closeOthers")),
	isLockedOut && h("p.quiet", t("keyElsewhere")),
	isLockedOut && button(".ghost", { onclick: () => replaceKey(live) }, t("newKey")),
];

/** An unused invitation, and the button that withdraws it. @param {Live} live @param {HeldMatch} held @param {() => void} again shows the links anew */
export function invitationRow(live, held, again) {
	const { invitation = "", seat } = held;
	const withdraw = () => {
		live.handlers.withdrawn = (/** @type {Wire.Withdrawn} */ m) => {
			keepMatch({ ...held, invitation: m.invitation });
			again();
		};
		live.send({ t: "withdraw", match, invitation, next: drawn() });
	};
	return [
		linkRow(t("friendLink", { seat: seat + 1 }), inviteLink(match, invitation)),
		button(".ghost", { onclick: withdraw }, t("withdraw")),
	];
}
