// A visitor with an invitation: its sender and its match. Sitting down exchanges it for a seat of this browser.
import { askOnce } from "../client/asking.js";
import { Refused } from "../client/errors.js";
import { b64 } from "../client/hashes.js";
import { newKey, random } from "../client/keys.js";
import { $, button, h } from "./dom.js";
import { gone, match, ready } from "./page.js";
import { dialog, forgetMatch, keepMatch, myMatches, prefs, seatLink, setPref } from "./prefs.js";
import { shownRow } from "./personvisibility.js";
import { later, t, when } from "./strings.js";
import { termsTold } from "./terms.js";

const TOKEN_BYTES = 32;

/** Goes to one's own seat; the address bar holds its link, and no longer the invitation. @param {HeldMatch} held */
function go({ token, key }) {
	location.replace(seatLink(match, token, key));
	// the address may differ behind the # alone
	location.reload();
}

/** Exchanges an invitation. A repeated request, after a lost answer, gets the same answer. @param {HeldMatch} held @param {string} name */
async function exchange(held, name) {
	const { token, open, invited = "" } = held;
	await askOnce({ t: "join", match, invitation: invited, token, name, ...(open && { key: open }) }, "joined");
	const seated = { ...held, pending: undefined };
	keepMatch(seated);
	return seated;
}

/** The options of a match. @param {Wire.Invited} said */
function terms({ open_cards, closed, until_ms = 0, ...said }) {
	return [
		h("p.quiet", termsTold(said)),
		open_cards && h("p", t("openCards", later(open_cards))),
		closed && h("p.quiet", t("invitedClosed")),
		until_ms > 0 && h("p.quiet", t("invitedUntil", { when: when(until_ms) })),
	];
}

/** The holders of the seats. @param {Wire.Invited} said */
function places({ seats, seat }) {
	/** @param {Wire.InvitedSeat} one */
	const holder = one => {
		const free = t(one.waits ? "seatAwaited" : "seatOpen");
		return one.seat === seat ? t("seatYours") : one.name || free;
	};
	return h(
		"ul",
		seats.map(one => h("li", `${t("seatN", { n: one.seat + 1 })}: ${holder(one)}`)),
	);
}

/** Asks the invited visitor to sit down. @param {Wire.Invited} said @param {(name: string, shows: string) => void} sit @param {string} [why] */
function ask(said, sit, why) {
	const inviter = said.seats.find(one => one.seat === said.by)?.name;
	const value = said.seats.some(one => one.name === prefs.name) ? "" : prefs.name;
	const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: 32, value }));
	const shows = shownRow();
	const shown = dialog(
		inviter ? t("invitesYou", { name: inviter, title: said.title }) : t("invited", { title: said.title }),
		places(said),
		terms(said),
		h("label.set", h("span", t("nameSeen")), field),
		shows.row,
		why && h("p", { role: "alert" }, why),
		h("p.quiet", t("invitedOnce")),
	);
	const go = button(".go", { onclick: () => sit(field.value.trim(), shows.now()) }, t("sitDown"));
	$("footer", shown).replaceChildren(go, h("a.ghost", { href: "/" }, t("notNow")));
	shown.addEventListener("cancel", event => event.preventDefault());
	ready();
}

/** @param {Wire.Invited} said @param {string} invitation @returns {Promise<HeldMatch>} */
async function drawn({ seat, game, title }, invitation) {
	const key = await newKey();
	const at = Date.now();
	const token = b64(random(TOKEN_BYTES));
	return { match, seat, token, game, title, at, key: key?.own, open: key?.open, invited: invitation, pending: true };
}

/** Shows that the invitation leads nowhere, or that the server does not answer. @param {unknown} wrong */
function refused(wrong) {
	gone(t(wrong instanceof Refused ? "invitationUsed" : "offline"), t("noTable"), t("toLobby"));
}

/** Asks for the name, and sits down. @param {Wire.Invited} said @param {string} invitation @param {string} [why] why it was refused before */
function seat(said, invitation, why) {
	ask(
		said,
		async (name, shows) => {
			setPref("name", name);
			const held = { ...(await drawn(said, invitation)), shows };
			// stored before the request: even if the answer is lost, the seat belongs to this browser
			keepMatch(held);
			await exchange(held, name).then(go, wrong => {
				// a lost answer is requested again when the page is opened again
				if (wrong instanceof Refused) {
					forgetMatch(held);
				}
				const again = wrong.code === "cannot-sit";
				return again ? seat(said, invitation, wrong.why) : refused(wrong);
			});
		},
		why,
	);
}

/** Shows what an invitation is for. @param {string} invitation */
async function offer(invitation) {
	seat(await askOnce({ t: "invitation", match, invitation }, "invited"), invitation);
}

/**
 * Sits down by an invitation, which this browser may have used already. Returns false for an earlier version's link to a taken seat:
 * such a link continues to open it.
 * @param {string} invitation @param {boolean} isFormer whether it is such a link
 */
export async function sitDown(invitation, isFormer) {
	const known = myMatches().find(one => one.match === match && one.invited === invitation);
	try {
		if (known) {
			go(known.pending ? await exchange(known, prefs.name) : known);
		} else {
			await offer(invitation);
		}
	} catch (wrong) {
		if (isFormer) {
			return false;
		}
		refused(wrong);
	}
	return true;
}
