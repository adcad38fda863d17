// Who is to hold which seat of a new match or branch, what a seat brings with it, and the links that come of it.
import { h } from "./dom.js";
import { has, t } from "./strings.js";
import { prefs, keepMatch, seatLink, watchLink, linkRow, dialog } from "./prefs.js";
import { b64, newShare, unb64, utf8 } from "../verify.js";

const ED = "Ed25519", shareKey = (match, seat) => `share/${match}/${seat}`;

// One's own share of chance: fixed when the seat is taken, revealed by the table.
export const share = {
	of: (match, seat) => localStorage.getItem(shareKey(match, seat)),
	forget: (match, seat) => localStorage.removeItem(shareKey(match, seat)),
};
// A key that signs a seat's choices; null where the browser cannot (WebCrypto is for secure contexts).
async function newKey() {
	try {
		const { privateKey, publicKey } = await crypto.subtle.generateKey(ED, true, ["sign", "verify"]), [own, open] = await Promise.all([crypto.subtle.exportKey("pkcs8", privateKey), crypto.subtle.exportKey("raw", publicKey)]);
		return { own: b64(new Uint8Array(own)), open: b64(new Uint8Array(open)) };
	} catch { return null; }
}
export async function sign(own, match, { decision, id, ack_seq = 0, ack_head = "", choice }) {
	const text = JSON.stringify([match, decision, id, ack_seq, ack_head, choice]), key = await crypto.subtle.importKey("pkcs8", unb64(own), ED, false, ["sign"]);
	return { text, signature: b64(new Uint8Array(await crypto.subtle.sign(ED, key, utf8("hr1/choice\0" + text)))) };
}

// A list per seat; `wishes` says what was chosen as the protocol has it.
export function chooseSeats({ seats, bots }, me = 0) {
	const kinds = [["me", t("seatMe")], ["friend", t("seatFriend")], ["open", t("seatOpen")], ...bots.map(b => [`bot:${b}`, t("seatBot", { bot: has(`bot.${b}`, b) })])];
	const lists = Array.from({ length: seats }, (_, i) => h("select", kinds.map(([value, label]) => h("option", { value, selected: value === (i === me ? "me" : bots.length ? `bot:${bots[0]}` : "friend") }, label))));
	return {
		rows: h("fieldset", h("legend", t("seats")), lists.map((list, i) => h("label.set", t("seatN", { n: i + 1 }), list))),
		wishes: () => lists.map(list => { const [kind, bot] = list.value.split(":"); return { kind, ...(bot && { bot }), ...(kind === "me" && { name: prefs.name }) }; }),
	};
}

// Asks for seats; `created` takes the answer, keeps the tokens, and goes to the table, or shows the links of others first.
let open = null;
export async function askSeats(connection, message, { game, title, signing }) {
	const wishes = message.seats || [message], kind = i => message.seats?.[i].kind, mine = message.seats ? wishes.findIndex(w => w.kind === "me") : 0;
	const alone = message.seats ? wishes.every((w, i) => i === mine || w.kind === "bot") : message.last, key = signing && wishes[mine] ? await newKey() : null, given = alone && mine >= 0 && newShare();
	delete message.last;
	if (given) wishes[mine].entropy = given.commitment;
	if (key) wishes[mine].key = key.open;
	open = m => {
		const tokens = m.tokens || { [m.seat]: m.token }, me = m.seat ?? mine, own = key?.own;
		for (const seat in tokens) keepMatch({ match: m.match, seat: Number(seat), token: tokens[seat], game, title, at: Date.now(), friend: kind(seat) === "friend" || undefined, key: Number(seat) === me ? own : undefined });
		if (given) localStorage.setItem(shareKey(m.match, me), given.entropy);
		const to = me >= 0 ? seatLink(m.match, tokens[me], own) : watchLink(m.match), others = Object.keys(tokens).filter(seat => Number(seat) !== me);
		if (!others.length && me >= 0) { location.href = to; return; }
		dialog(t("matchMade"), others.map(seat => linkRow(t("friendLink", { seat: Number(seat) + 1 }), seatLink(m.match, tokens[seat]))), linkRow(t("watchLink"), watchLink(m.match)), wishes.some(w => w.kind === "open") && h("p.quiet", t("openWaits")))
			.querySelector("footer").replaceChildren(h("a.go", { href: to }, t("toTable")));
	};
	connection.send(message);
}
export const created = m => { open?.(m); open = null; };
