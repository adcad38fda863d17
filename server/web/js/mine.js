// One's own matches on the first page: those in which it is one's move first, and of these the one due soonest.
import { $, h, button } from "./dom.js";
import { forgetMatch, myMatches, seatLink } from "./prefs.js";
import { t, when } from "./strings.js";

const MOST = 8;
/** The number of matches shown above the games; the others are shown on request. */
const FIRST = 3;
const MOST_ASKED = 32;
const NEVER = Number.MAX_SAFE_INTEGER;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** @param {{ match: string, seat: number }} x */
const seatOf = x => `${x.match}/${x.seat}`;

/** How long until a moment; the unit is as coarse as the time is long. @param {number} due */
function left(due) {
	const ms = due - Date.now();
	/** @type {[string, number][]} */
	const units = [
		["daysLeft", DAY_MS],
		["hoursLeft", HOUR_MS],
	];
	const [unit, size] = units.find(([, length]) => ms >= 2 * length) ?? ["minutesLeft", MINUTE_MS];
	return t(unit, { n: Math.max(0, Math.floor(ms / size)) });
}

/** A match in the form in which its row shows it. @typedef {{ x: HeldMatch, yours: boolean | undefined, time: string | false | undefined }} Row */

export class MineList {
	/** The server's answers about seats. @type {Map<string, Wire.Turn>} */
	turns = new Map();
	/** Seats about which the server was asked and has not answered yet. @type {HeldMatch[][]} */
	asking = [];
	/** Seats about which the server has said nothing: their matches are not running, and the server is not asked again. @type {Set<string>} */
	silent = new Set();
	/** Matches that are known to be over. @type {Set<string>} */
	over = new Set();
	/** The list as it is shown, as JSON. */
	shown = "";
	/** Whether all matches are to be shown. */
	whole = false;

	/** @param {(id: string, rows: HTMLElement[]) => void} list */
	constructor(list) {
		this.list = list;
		$("#mine > button").onclick = () => {
			this.whole = true;
			this.draw();
			/** @type {HTMLElement | null} */ ($("#mine").querySelectorAll("a")[FIRST])?.focus();
		};
	}

	going() {
		return myMatches().filter(x => !x.friend && !this.over.has(x.match));
	}

	/** Asks the server whose move it is; returns whether there was anything to ask. @param {import("../client/connection.js").Connection} connection */
	ask(connection) {
		const open = this.going().filter(x => !this.silent.has(seatOf(x)));
		const asked = open.slice(0, MOST_ASKED);
		const seats = asked.map(({ match, token }) => ({ match, token }));
		const isSent = asked.length > 0 && connection.send({ t: "turns", seats });
		if (isSent) {
			this.asking.push(asked);
		}
		return isSent;
	}

	/** @param {HeldMatch} x */
	turn(x) {
		return this.turns.get(seatOf(x));
	}

	/** The time at which a match needs its player. @param {HeldMatch} x */
	due(x) {
		const turn = this.turn(x);
		return turn?.yours ? turn.due_ms || NEVER : 2 * NEVER;
	}

	/** @returns {Row[]} */
	rows() {
		const sorted = this.going().sort((a, b) => this.due(a) - this.due(b));
		const kept = sorted.filter((x, i) => i < MOST || this.turn(x)?.yours);
		return kept.map(x => {
			const { yours, due_ms = 0 } = this.turn(x) ?? {};
			return { x, yours, time: yours && due_ms > 0 && left(due_ms) };
		});
	}

	draw() {
		const all = this.rows();
		const rows = this.whole ? all : all.slice(0, FIRST);
		const now = JSON.stringify([rows, all.length]);
		if (now === this.shown) {
			return;
		}
		this.shown = now;
		$("#mine").hidden = !rows.length;
		const more = $("#mine > button");
		more.hidden = rows.length === all.length;
		more.textContent = t("allMine", { n: all.length });
		const focused = /** @type {HTMLElement | null} */ (document.activeElement);
		const at = focused?.closest("#mine .row") && focused.dataset.of;
		this.list(
			"mine",
			rows.map((row, i) => this.rowShown(row, i === 0)),
		);
		if (at) {
			$(`#mine [data-of="${CSS.escape(at)}"]`)?.focus();
		}
	}

	/** @param {Row} row @param {boolean} marked whether it is what to do first */
	rowShown({ x, yours, time }, marked) {
		const turn = yours && h("b.turn", t("yourMove"), time && h("span.quiet", `, ${time}`));
		const href = seatLink(x.match, x.token, x.key);
		const forget = () => {
			if (confirm(t("forgetSure"))) {
				forgetMatch(x);
				this.draw();
			}
		};
		return h(
			`li.row${yours ? ".yours" : ""}`,
			turn,
			h("span.ttl", x.title),
			h("span.who", t("seatN", { n: x.seat + 1 })),
			h("span.at", when(x.at)),
			h(marked ? "a.go" : "a.ghost", { href, "data-of": `go ${seatOf(x)}` }, t("goOn")),
			button(".ghost", { onclick: forget, "data-of": `no ${seatOf(x)}` }, t("forget")),
		);
	}
}

/** Takes the server's answers, and reports matches in which it has become one's move. @param {MineList} mine @param {Wire.Turns} m */
export function hearTurns(mine, m) {
	const told = new Map(m.turns.map(turn => [seatOf(turn), turn]));
	const fresh = m.turns.filter(turn => turn.yours && !mine.turns.get(seatOf(turn))?.yours);
	for (const x of mine.asking.shift() ?? []) {
		if (!told.has(seatOf(x))) {
			mine.silent.add(seatOf(x));
		}
	}
	mine.turns = told;
	if (fresh.length) {
		$("#live").textContent = fresh.map(turn => `${t("yourMove")}: ${turn.title}`).join(". ");
	}
	mine.draw();
}
