// Who is to hold which seat of a new match or branch, what a seat brings with it, and the links that come of it.
import { $, h } from "./dom.js";
import { has, t } from "./strings.js";
import { prefs, keepMatch, seatLink, watchLink, linkRow, dialog } from "./prefs.js";
import { b64, newShare, unb64, utf8 } from "../verify.js";

const ED = "Ed25519";

/** @param {string} match @param {number} seat */
const shareKey = (match, seat) => `share/${match}/${seat}`;

/** One's own share of chance: fixed when the seat is taken, revealed by the table. */
export const share = {
	/** @param {string} match @param {number} seat */
	of: (match, seat) => localStorage.getItem(shareKey(match, seat)),
	/** @param {string} match @param {number} seat */
	forget: (match, seat) => localStorage.removeItem(shareKey(match, seat)),
};

/** A key that signs a seat's choices; null where the browser cannot (WebCrypto is for secure contexts). */
async function newKey() {
	try {
		const pair = await crypto.subtle.generateKey(ED, true, ["sign", "verify"]);
		const { privateKey, publicKey } = /** @type {CryptoKeyPair} */ (pair);
		const [own, open] = await Promise.all([
			crypto.subtle.exportKey("pkcs8", privateKey),
			crypto.subtle.exportKey("raw", publicKey),
		]);
		return { own: b64(new Uint8Array(own)), open: b64(new Uint8Array(open)) };
	} catch {
		return null;
	}
}

/** @param {string} own the private key @param {string} match @param {Wire.Choose} choice @returns {Promise<Wire.ChoiceSignature>} */
export async function sign(own, match, { decision, id, ack_seq = 0, ack_head = "", choice }) {
	const text = JSON.stringify([match, decision, id, ack_seq, ack_head, choice]);
	const key = await crypto.subtle.importKey("pkcs8", unb64(own), ED, false, ["sign"]);
	const signature = await crypto.subtle.sign(ED, key, utf8(`hr1/choice\0${text}`));
	return { text, signature: b64(new Uint8Array(signature)) };
}

/** @param {string[]} bots @param {boolean} me whether it is the chooser's own seat, to begin with */
function seatList(bots, me) {
	const kinds = [
		["me", t("seatMe")],
		["friend", t("seatFriend")],
		["open", t("seatOpen")],
		...bots.map(bot => [`bot:${bot}`, t("seatBot", { bot: has(`bot.${bot}`, bot) })]),
	];
	const other = bots.length ? `bot:${bots[0]}` : "friend";
	const first = me ? "me" : other;
	const options = kinds.map(([value, label]) => h("option", { value, selected: value === first }, label));
	return /** @type {HTMLSelectElement} */ (h("select", options));
}

/** @param {HTMLSelectElement} list @returns {Wire.SeatWish} */
function wishOf(list) {
	const [kind, bot] = /** @type {[Wire.SeatWish["kind"], string | undefined]} */ (list.value.split(":"));
	return { kind, ...(bot && { bot }), ...(kind === "me" && { name: prefs.name }) };
}

/** A list per seat; `wishes` says what was chosen as the protocol has it. @param {Wire.GameInfo} game @param {number} [me] */
export function chooseSeats({ seats, bots }, me = 0) {
	const lists = Array.from({ length: seats }, (_, i) => seatList(bots, i === me));
	const labels = lists.map((list, i) => h("label.set", t("seatN", { n: i + 1 }), list));
	return { rows: h("fieldset", h("legend", t("seats")), labels), wishes: () => lists.map(wishOf) };
}

/**
 * What is asked for: every seat of a new match or a branch, or one seat; `last`: no other seat is free.
 * @typedef {Wire.Create | Wire.Branch | (Wire.Join & { last?: boolean })} Asked
 * @typedef {{ game: string, title: string, signing?: boolean }} About
 * @typedef {{ match: string, tokens: Record<string, string>, me: number }} Made
 */

/** Shows the links of other seats before the table. @param {Made} made @param {Wire.SeatWish[] | undefined} wishes @param {string} to */
function showLinks({ match, tokens, me }, wishes, to) {
	const others = Object.keys(tokens).filter(seat => Number(seat) !== me);
	const shown = dialog(
		t("matchMade"),
		others.map(seat => linkRow(t("friendLink", { seat: Number(seat) + 1 }), seatLink(match, tokens[seat]))),
		linkRow(t("watchLink"), watchLink(match)),
		wishes?.some(wish => wish.kind === "open") && h("p.quiet", t("openWaits")),
	);
	$("footer", shown).replaceChildren(h("a.go", { href: to }, t("toTable")));
}

/**
 * Keeps the tokens of a match's seats.
 * @param {Made} made @param {About} about @param {Wire.SeatWish[] | undefined} wishes @param {string | undefined} own the key
 */
function keepTokens({ match, tokens, me }, { game, title }, wishes, own) {
	for (const name in tokens) {
		const seat = Number(name);
		const friend = wishes?.[seat].kind === "friend" || undefined;
		const key = seat === me ? own : undefined;
		keepMatch({ match, seat, token: tokens[name], game, title, at: Date.now(), friend, key });
	}
}

/** Takes the answer to what was asked for. @type {((m: Wire.Created | Wire.Joined) => void) | null} */
let open = null;

/** The own seat among those wished for, or -1, and whether everybody else is a bot. @param {Asked} message */
function ownWish(message) {
	if (message.t === "join") {
		return { mine: 0, wish: message, alone: message.last };
	}
	const mine = message.seats.findIndex(wish => wish.kind === "me");
	const alone = message.seats.every((wish, i) => i === mine || wish.kind === "bot");
	return { mine, wish: mine >= 0 ? message.seats[mine] : undefined, alone };
}

/**
 * Asks for seats; `created` takes the answer, keeps the tokens, and goes to the table, or shows the links of others first.
 * @param {import("./net.js").Connection} connection @param {Asked} message @param {About} about
 */
export async function askSeats(connection, message, about) {
	const { mine, wish, alone } = ownWish(message);
	const wishes = "seats" in message ? message.seats : undefined;
	const key = about.signing && wish ? await newKey() : null;
	const given = alone && wish ? newShare() : null;
	if (message.t === "join") {
		delete message.last;
	}
	if (wish && given) {
		Object.assign(wish, { entropy: given.commitment });
	}
	if (wish && key) {
		Object.assign(wish, { key: key.open });
	}
	open = m => {
		const tokens = m.t === "created" ? m.tokens : { [m.seat]: m.token };
		const me = m.t === "created" ? mine : m.seat;
		seated({ match: m.match, tokens, me }, about, wishes, { given, own: key?.own });
	};
	connection.send(message);
}

/**
 * @param {Made} made @param {About} about @param {Wire.SeatWish[] | undefined} wishes
 * @param {{ given: { entropy: string } | null, own: string | undefined }} brought the own share of chance, the own key
 */
function seated(made, about, wishes, { given, own }) {
	const { match, tokens, me } = made;
	keepTokens(made, about, wishes, own);
	if (given) {
		localStorage.setItem(shareKey(match, me), given.entropy);
	}
	const to = me >= 0 ? seatLink(match, tokens[me], own) : watchLink(match);
	const alone = Object.keys(tokens).every(seat => Number(seat) === me);
	if (alone && me >= 0) {
		location.href = to;
	} else {
		showLinks(made, wishes, to);
	}
}

/** @param {Wire.Created | Wire.Joined} m */
export function created(m) {
	open?.(m);
	open = null;
}
