// The planned holders of the seats of a new match or branch, the things a seat brings along, and the links to the seats.
import { newKey } from "../client/keys.js";
import { $, h } from "./dom.js";
import { has, t } from "./strings.js";
import { prefs, inviteLink, keepMatch, seatLink, watchLink, linkRow, dialog } from "./prefs.js";

/** @param {string[]} bots @param {boolean} me whether it is the chooser's own seat, to begin with */
function seatList(bots, me) {
	const kinds = [
		["me", t("seatMe")],
		["invited", t("seatFriend")],
		["open", t("seatOpen")],
		...bots.map(bot => [`bot:${bot}`, t("seatBot", { bot: has(`bot.${bot}`, bot) })]),
	];
	const other = bots.length ? `bot:${bots[0]}` : "invited";
	const first = me ? "me" : other;
	const options = kinds.map(([value, label]) => h("option", { value, selected: value === first }, label));
	return /** @type {HTMLSelectElement} */ (h("select", options));
}

/** @param {HTMLSelectElement} list @returns {Wire.SeatWish} */
function wishOf(list) {
	const [kind, bot] = /** @type {[Wire.SeatWish["kind"], string | undefined]} */ (list.value.split(":"));
	return { kind, ...(bot && { bot }), ...(kind === "me" && { name: prefs.name }) };
}

/**
 * A list per seat; `wishes` gives the choices in the protocol's form, `resized` keeps them for another number of seats.
 * @typedef {{ rows: HTMLElement, wishes: () => Wire.SeatWish[], resized: (seats: number) => Chosen }} Chosen
 * @param {Pick<Wire.GameInfo, "seats" | "bots">} game @param {number} [me] @param {string[]} [before] @returns {Chosen}
 */
export function chooseSeats({ seats, bots }, me = 0, before = []) {
	const lists = Array.from({ length: seats }, (_, i) => seatList(bots, i === me));
	for (const [i, list] of lists.entries()) {
		list.value = before[i] ?? list.value;
	}
	const labels = lists.map((list, i) => h("label.set", t("seatN", { n: i + 1 }), list));
	return {
		rows: h("fieldset", h("legend", t("seats")), labels),
		wishes: () => lists.map(wishOf),
		resized: count => {
			const chosen = lists.map(list => list.value);
			return chooseSeats({ seats: count, bots }, me, [...chosen, ...before.slice(chosen.length)]);
		},
	};
}

/**
 * The request: every seat of a new match or a branch, or one seat.
 * @typedef {Wire.Create | Wire.Branch | Wire.Join} Asked
 * @typedef {{ game: string, title: string, shows?: string }} About
 * @typedef {{ match: string, tokens: Record<string, string>, me: number, invitations?: Record<string, string> }} Made
 */

/** Shows the links of other seats before the table. @param {Made} made @param {Wire.SeatWish[] | undefined} wishes @param {string} to */
function showLinks({ match, tokens, me, invitations = {} }, wishes, to) {
	const others = Object.keys(tokens).filter(seat => Number(seat) !== me);
	const seats = Object.keys(invitations);
	const shown = dialog(
		t("matchMade"),
		others.map(seat => linkRow(t("seatLink", { seat: Number(seat) + 1 }), seatLink(match, tokens[seat]))),
		seats.map(seat => linkRow(t("friendLink", { seat: Number(seat) + 1 }), inviteLink(match, invitations[seat]))),
		linkRow(t("watchLink"), watchLink(match)),
		wishes?.some(wish => wish.kind === "open") && h("p.quiet", t("openWaits")),
	);
	$("footer", shown).replaceChildren(h("a.go", { href: to }, t("toTable")));
}

/**
 * Keeps the tokens of a match's seats.
 * @param {Made} made @param {About} about @param {string | undefined} own the key
 */
function keepTokens({ match, tokens, me, invitations = {} }, { game, title, shows }, own) {
	const at = Date.now();
	for (const name in invitations) {
		const invitation = invitations[name];
		keepMatch({ match, seat: Number(name), token: "", game, title, at, friend: true, invitation });
	}
	for (const name in tokens) {
		const seat = Number(name);
		keepMatch({ match, seat, token: tokens[name], game, title, at, ...(seat === me && { key: own, shows }) });
	}
}

/** Takes the answer to the request. @type {((m: Wire.Created | Wire.Joined) => void) | null} */
let open = null;

/** One's own seat among the requested ones, or -1. @param {Asked} message */
function ownWish(message) {
	if (message.t === "join") {
		return { mine: 0, wish: message };
	}
	const mine = message.seats.findIndex(wish => wish.kind === "me");
	return { mine, wish: mine >= 0 ? message.seats[mine] : undefined };
}

/**
 * Asks for seats; `created` takes the answer, keeps the tokens, and goes to the table, or shows the links of others first.
 * @param {import("../client/connection.js").Connection} connection @param {Asked} message @param {About} about
 */
export async function askSeats(connection, message, about) {
	const { mine, wish } = ownWish(message);
	const wishes = "seats" in message ? message.seats : undefined;
	const key = wish ? await newKey() : null;
	if (message.t !== "join") {
		message.shares = true;
	}
	if (wish && key) {
		Object.assign(wish, { key: key.open });
	}
	open = m => {
		const tokens = m.t === "created" ? m.tokens : { [m.seat]: m.token };
		const me = m.t === "created" ? mine : m.seat;
		const invitations = m.t === "created" ? m.invitations : undefined;
		seated({ match: m.match, tokens, me, invitations }, about, wishes, key?.own);
	};
	connection.send(message);
}

/** @param {Made} made @param {About} about @param {Wire.SeatWish[] | undefined} wishes @param {string | undefined} own one's own key */
function seated(made, about, wishes, own) {
	const { match, tokens, me } = made;
	keepTokens(made, about, own);
	const to = me >= 0 ? seatLink(match, tokens[me], own) : watchLink(match);
	const alone = !Object.keys(made.invitations ?? {}).length && Object.keys(tokens).every(seat => Number(seat) === me);
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
