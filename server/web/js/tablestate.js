// The agreements around the match: clocks, offers, giving up, who watches through whose eyes.
import { $, h, clear, button, dialogAt } from "./dom.js";
import { glyph } from "./glyph.js";
import { fresh } from "../client/connection.js";
import { hasAccount } from "./prefs.js";
import { has, t } from "./strings.js";

const TICK_MS = 500;
const MINUTE_MS = 60_000;
const PAUSE_MS = 10 * MINUTE_MS;
const DAY_MS = 86_400_000;
/** For this long a new row ignores presses: a press was meant for the control that was there before. */
const DEAF_MS = 300;
/** The acts that cannot be undone, which have to be confirmed. */
const LASTING = ["draw", "abandon", "replace"];

/** @param {number} ms */
const minSec = ms => t("minSec", { m: Math.floor(ms / MINUTE_MS), s: Math.floor(ms / 1000) % 60 });

/**
 * @typedef {object} TableStateApi
 * @property {(m: ClientMessage) => unknown} send
 * @property {(text: string) => void} say
 * @property {(seat: number | undefined) => string} name
 * @property {(seat: number) => boolean | undefined} isOut whether a seat has left the match
 * @property {() => void} ticked clocks show another time
 * @property {() => void} agreed hints are agreed on, or no longer
 * @property {(seat: number) => boolean} hasChosen
 * @property {(line: number | undefined) => string} after what came first after a line; empty if the page was opened later
 * @property {(line: number) => number} chosenSince how many choices there are after a line
 * @property {(why: string) => void} refused
 */

/** The fields of any message, as far as this module reads them. @typedef {Partial<Wire.Welcome & { t: string }>} Heard */

export class TableState {
	/** @type {Record<string, Wire.ClockInfo>} */
	clocks = {};
	/** The agreements, as the verified lines state them. @type {Wire.TableInfo} */
	table = {};
	/** The server's statement of the table. @type {Wire.TableInfo} */
	toldTable = {};
	/** @type {import("../client/agreements.js").Agreements | undefined} */
	agreements = undefined;
	/** The time at which each offer was first shown. @type {Map<number, number>} */
	shownAt = new Map();
	/** The time at which the clocks were received, by this page's clock. */
	at = 0;
	/** @type {Partial<Wire.Presence>} */
	presence = {};
	/** @type {Partial<Wire.ViewerInfo>} */
	viewer = {};
	/** The holders of the seats, as the verified lines state them. @type {Wire.SeatInfo[]} */
	seats = [];
	/** @type {Wire.SeatInfo[]} */
	toldSeats = [];

	/** The persons that have shown themselves behind a seat's key, as this page has checked. @type {Map<string, string>} */
	handles = new Map();
	/** The person behind a seat, if the page shows it. @type {(seat: number, name: string) => Kid} */
	person = () => null;

	/** @param {TableStateApi} api */
	constructor(api) {
		this.api = api;
		const acts = dialogAt("#acts");
		acts.onclose = () => this.act(acts.returnValue);
		setInterval(() => {
			if (Object.values(this.clocks).some(clock => clock.run)) {
				api.ticked();
			}
		}, TICK_MS);
	}

	/** The muted people, as the chat names them. @type {Set<string>} */
	muted = new Set();
	/** @type {Promise<import("./chat.js").Chat> | undefined} */
	talk = undefined;

	/** The chat, loaded when it is first needed. */
	chat() {
		this.talk ??= import("./chat.js").then(module => new module.Chat(this));
		return this.talk;
	}

	get mine() {
		return (this.viewer.as === "seat" ? this.viewer.seat : -1) ?? -1;
	}

	/** Every message may carry clocks and the open offers of the table. @param {ServerMessage} message */
	hear(message) {
		const m = /** @type {Heard} */ (message);
		if (m.t === "welcome" && m.viewer) {
			this.viewer = m.viewer;
			$("#chat form").hidden = m.viewer.as === "caster";
		}
		if (m.seats?.[0]?.seat !== undefined) {
			this.toldSeats = m.seats;
		}
		if (m.clocks) {
			this.clocks = m.clocks;
			this.at = performance.now();
			this.api.ticked();
		}
		if (m.table || m.t === "welcome") {
			this.toldTable = m.table ?? {};
			this.agree();
		}
	}

	/** Shows agreements, offers and holders of seats as the verified lines state them; frames are not trusted for these. @param {import("../client/seating.js").MatchVerifier} [verifier] */
	agree(verifier) {
		this.agreements = verifier?.agreements ?? this.agreements;
		if (!this.agreements) {
			return;
		}
		this.seats = this.agreements.seats(this.toldSeats);
		this.talk?.then(chat => chat.named());
		const table = this.agreements.table(this.toldTable);
		this.awaitShares(table);
		if (JSON.stringify(table) !== JSON.stringify(this.table)) {
			const isNew = table.hints !== this.table.hints;
			this.table = table;
			this.drawOffers();
			// agreements may come after the question
			if (isNew) {
				this.api.agreed();
			}
		}
	}

	/** The owner of the awaited shares of chance, and the time that is left in ms. @type {[string, number]} */
	awaited = ["", 0];

	/** Says whose share of chance the match awaits. @param {Wire.TableInfo} [table] */
	awaitShares({ reveal = [], reveal_ms = 0 } = {}) {
		if (reveal.length || this.table.reveal?.length) {
			// the awaited player can do nothing here: one's own share is sent automatically, or is on the device that has the key
			const others = reveal.filter(seat => seat !== this.mine);
			this.awaited = [others.map(seat => this.seats[seat]?.name).join(", "), reveal_ms];
			// requests may be answered in another order: the latest text is shown in any case
			import("./chancesetup.js").then(module => module.awaitShares(...this.awaited));
		}
	}

	/** A seat's clock now. @param {number | string} seat @returns {Wire.ClockInfo | undefined} */
	clock(seat) {
		const c = this.clocks[seat];
		return c && { ...c, ms: c.run ? Math.max(0, c.ms - (performance.now() - this.at)) : c.ms };
	}

	/** All clocks, as text to be read. @param {Record<string, Words.Plate>} seats */
	read(seats) {
		const told = Object.keys(seats).flatMap(seat => {
			const clock = this.clock(seat) || seats[seat].clock;
			return clock ? [`${seats[seat].name} ${minSec(clock.ms)}`] : [];
		});
		return told.join(". ") || t("noClocks");
	}

	/** The acts that are possible now; an act that is not named always is. @returns {Record<string, unknown>} */
	possible() {
		const away = this.away() !== undefined;
		const { time, paused_ms } = this.table;
		const gone = (this.clocks[this.mine]?.away_ms ?? 0) > 0;
		return {
			takeBack: !paused_ms && this.api.hasChosen(this.mine),
			goOn: paused_ms,
			pause: !paused_ms,
			replace: away,
			claim: away && time?.absence_ms,
			vacation: !gone && this.days() > 0,
			back: gone,
			shown: hasAccount(),
		};
	}

	open() {
		const possible = this.possible();
		const acts = dialogAt("#acts");
		for (const b of /** @type {NodeListOf<HTMLButtonElement>} */ (acts.querySelectorAll("[value]"))) {
			b.hidden = b.value in possible && !possible[b.value];
		}
		acts.returnValue = "";
		acts.showModal();
	}

	/** A seat that is for a person, and that nobody holds now. */
	away() {
		const left = this.seats.filter(s => s.kind === "person" && s.seat !== this.mine && !this.api.isOut(s.seat));
		return left.find(s => !this.presence.seats?.includes(s.seat))?.seat;
	}

	/** The remaining whole days of vacation. */
	days() {
		return Math.floor((this.clocks[this.mine]?.vacation_ms || 0) / DAY_MS);
	}

	/** @param {Wire.Offer["terms"]} terms */
	offer(terms) {
		return this.api.send({ t: "offer", id: fresh(), terms });
	}

	/** @param {number} days */
	vacation(days) {
		return this.api.send({ t: "vacation", id: fresh(), days });
	}

	askVacation() {
		const most = this.days();
		const told = window.prompt(t("vacationDays", { n: most }), String(most));
		const days = Math.min(most, Math.floor(Number(told)));
		if (days > 0) {
			this.vacation(days);
		}
	}

	/** Does one of the dialog's acts, or says that it is no longer possible. @param {string} what */
	act(what) {
		const possible = this.possible();
		if (what in possible && !possible[what]) {
			this.api.refused(t("actGone"));
			return;
		}
		const seat = Number(this.away());
		/** @type {Record<string, () => unknown>} */
		const acts = {
			draw: () => this.offer({ is: "draw" }),
			pause: () => this.offer({ is: "pause", length_ms: PAUSE_MS }),
			goOn: () => this.offer({ is: "go_on" }),
			abandon: () => this.offer({ is: "abandon" }),
			takeBack: () => this.offer({ is: "take_back" }),
			replace: () => this.offer({ is: "replace", seat }),
			hand: () => confirm(t("handSure")) && this.offer({ is: "replace", seat: this.mine }),
			claim: () => this.api.send({ t: "claim", id: fresh(), seat }),
			back: () => this.vacation(0),
			vacation: () => this.askVacation(),
			report: async () => (await this.chat()).reportMatch(),
			shown: async () => (await import("./guests.js")).askShown(),
			resign: () => confirm(t("resignSure")) && this.api.send({ t: "resign", id: fresh() }),
		};
		acts[what]?.();
	}

	/** @param {Wire.OfferInfo} offer */
	offerText({ seat, terms }) {
		/** @type {{ is: string, seat?: number, line?: number, length_ms?: number }} */
		const { is, seat: of, line, length_ms } = terms;
		const name = this.api.name(seat);
		const what = this.api.after(line);
		if (line && !what) {
			return t("takeBackLast", { name, n: this.api.chosenSince(line) });
		}
		return t(`offer.${is}`, { name, other: this.api.name(of), what, n: Math.round((length_ms || 0) / MINUTE_MS) });
	}

	/** @param {Wire.OfferInfo} offer */
	offerShown(offer) {
		const { seat, asked, agreed } = offer;
		const own = seat === this.mine;
		const waits = asked?.includes(this.mine) && !agreed?.includes(this.mine);
		/** @param {"agree" | "decline"} kind */
		const attrs = kind => ({ onclick: () => this.answerOffer(kind, offer), disabled: this.isDeaf(offer.number) });
		return h(
			"p",
			this.offerText(offer),
			" ",
			waits && button(".go", attrs("agree"), t("agree")),
			" ",
			(own || waits) && button(".ghost", attrs("decline"), t(own ? "takeBack" : "decline")),
		);
	}

	/** Answers the offer in the row. @param {"agree" | "decline"} kind @param {Wire.OfferInfo} offer */
	answerOffer(kind, offer) {
		const { number, terms } = offer;
		const lasting = kind === "agree" && LASTING.includes(terms.is);
		if (!lasting || confirm(t("agreeSure", { what: this.offerText(offer) }))) {
			this.api.send({ t: kind, id: fresh(), number, terms });
		}
	}

	/** Whether an offer has just come; if so, its row is drawn again a moment later. @param {number} number */
	isDeaf(number) {
		const now = performance.now();
		const at = this.shownAt.get(number) ?? now;
		this.shownAt.set(number, at);
		const left = at + DEAF_MS - now;
		if (left > 0) {
			setTimeout(() => this.drawOffers(), left + 1);
		}
		return left > 0 && "true";
	}

	drawOffers() {
		const { offers = [], paused_ms = 0 } = this.table;
		const rows = offers.map(offer => this.offerShown(offer));
		const root = clear($("#offers"), paused_ms > 0 && h("p", t("paused")), rows);
		root.hidden = !rows.length && !paused_ms;
	}

	/** The sign of a seat that lets others see what it sees. @param {number} seat */
	shares(seat) {
		const shared = this.presence.shared?.includes(seat);
		return shared && h("span.shares", { title: t("shared") }, glyph("eyeball"), h("span.vh", t("shared")));
	}

	/** Why the server closed the connection, if it did so for good or for lack of a place. @param {number | undefined} code */
	static closed(code) {
		return has(`close.${code}`, "");
	}
}
