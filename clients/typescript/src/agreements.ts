// The agreements around a match and its open questions, as its verified lines state them (docs/record.md 5, 9). Frames
// repeat them, unsigned: everything shown or signed is taken from here.
import type { Wire } from "./wire.js";

type Payload = Record<string, any>;
type Line = { seq: number; payload: Payload };
type Offer = { number: number; seat: number; terms: Payload; agreed: number[] };
const ASKS = ["DecisionsOpened", "PositionSet", "MatchBegun"];

/** Follows the lines of one match. */
export class Agreements {
	/** The last line that opened decisions. */
	askedAt = 0;
	/** Open offers, by number. */
	offers: Map<number, Offer> = new Map();
	/** Line and terms of every offer that was made. */
	made: Map<number, { seq: number; terms: Payload }> = new Map();
	isPaused = false;
	isBegun = false;
	isOver = false;
	/** Open decisions, with the seat that is asked. */
	asked: Map<number, number> = new Map();
	lastAsked = 0;
	held: Map<number, Wire.SeatInfo> = new Map();
	left: Set<number> = new Set();
	control: Wire.TimeControl | undefined = undefined;
	hints = false;
	hinted: Set<number> = new Set();
	count = 0;
	game = "";
	committed: Set<number> = new Set();
	owing: Set<number> = new Set();

	/** Continues after a line. */
	take(type: string, line: Line): void {
		if (ASKS.includes(type)) {
			this.askedAt = line.seq;
		}
		if (Object.hasOwn(FOLLOWS, type)) {
			FOLLOWS[type](this, line.payload, line.seq);
		}
	}

	/** Whether the rules must still ask a seat, or end the match. */
	get isResolving(): boolean {
		const waits = !this.asked.size || [...this.asked.values()].some(seat => this.left.has(seat));
		return this.isBegun && !this.isOver && waits;
	}

	/** Whether a seat is asked a decision that it has not answered. */
	isAsked(number: number, seat: number): boolean {
		return this.isBegun && this.asked.get(number) === seat;
	}

	/** Whether a decision has been asked, of any seat. */
	wasAsked(number: number): boolean {
		return this.isBegun && number <= this.lastAsked;
	}

	/** The agreements as the lines state them; only the time left is taken from the server's statement. */
	table({ paused_ms = 0, reveal_ms = 0 }: Wire.TableInfo): Wire.TableInfo {
		const isFixed = this.committed.size === this.count && !this.isBegun;
		const reveal = isFixed ? [...this.owing].sort((a, b) => a - b) : [];
		return {
			...(this.control && { time: this.control }),
			paused_ms: this.isPaused ? Math.max(1, paused_ms) : 0,
			offers: [...this.offers.values()].map(offer => this.told(offer)),
			reveal,
			reveal_ms: reveal.length ? reveal_ms : 0,
			hints: this.hints,
			hinted: [...this.hinted].filter(number => this.asked.has(number)),
		};
	}

	/** The holders of the seats, from the lines; the server alone gives the name of a seat that nobody holds. */
	seats(told: Wire.SeatInfo[]): Wire.SeatInfo[] {
		return told.map(({ seat, name }) => this.held.get(seat) ?? { seat, ...(name && { name }) });
	}

	/** An offer, with the seats that have to agree: every other person who is there. */
	told({ terms, ...offer }: Offer): Wire.OfferInfo {
		const away = terms.is === "replace" && terms.absent_ms ? terms.seat : -1;
		const people = [...this.held.values()].filter(held => held.kind === "person").map(held => held.seat);
		const asked = people.filter(seat => seat !== offer.seat && seat !== away && !this.left.has(seat)).sort();
		return { ...offer, terms, asked } as Wire.OfferInfo;
	}

	/** Keeps the offers that stay open. */
	keep(stays: (offer: Offer) => boolean): void {
		for (const [number, offer] of this.offers) {
			if (!stays(offer)) {
				this.offers.delete(number);
			}
		}
	}

	ask(asked: Payload[]): void {
		this.asked = new Map(asked.map(({ number, seat }) => [number, seat]));
		this.lastAsked = Math.max(this.lastAsked, ...this.asked.keys());
	}
}

/** A choice ends every offer to take back, and each offer of a draw that its seat has neither made nor agreed to. */
function chosen(at: Agreements, { seat, number, by = "seat" }: Payload) {
	at.asked.delete(number);
	at.keep(({ terms, ...offer }) => {
		const wanted = by === "rules" || seat === offer.seat || offer.agreed.includes(seat);
		return terms.is === "draw" ? wanted : terms.is !== "take_back";
	});
}

/** Applies the changes of a line. */
const FOLLOWS: Record<string, (at: Agreements, payload: Payload, seq: number) => void> = {
	MatchCreated(at, { game, seats, hints, dealt }) {
		at.game = game;
		at.count = seats.length;
		at.hints = Boolean(hints) && !dealt;
	},
	SeatTaken(at, { seat, name = "", kind = "person" }) {
		at.held.set(seat, { seat, name, kind });
	},
	SeatReplaced(at, { seat }) {
		at.held.set(seat, { ...at.held.get(seat), seat, kind: "bot" });
		at.offers.clear();
	},
	SeatLeft(at, { seat }) {
		at.left.add(seat);
		at.offers.clear();
	},
	ClocksSet(at, { control }) {
		at.control = control;
	},
	EntropyCommitted(at, { seat, by = "seat" }) {
		at.committed.add(seat);
		if (by === "seat") {
			at.owing.add(seat);
		}
	},
	EntropyRevealed(at, { seat }) {
		at.owing.delete(seat);
	},
	MatchBegun(at) {
		at.isBegun = true;
	},
	DecisionsOpened(at, { asked }) {
		at.ask(asked);
	},
	PositionSet(at, { view }) {
		if (Array.isArray(view.asked)) {
			at.ask(view.asked);
		}
	},
	Chosen: chosen,
	HintAsked(at, { number }) {
		at.hinted.add(number);
	},
	Offered(at, { number, seat, terms }, seq) {
		at.made.set(number, { seq, terms });
		at.offers.set(number, { number, seat, terms, agreed: [] });
	},
	Agreed(at, { number, seat }) {
		at.offers.get(number)?.agreed.push(seat);
	},
	Declined(at, { number }) {
		at.offers.delete(number);
	},
	OfferAccepted(at, { number }) {
		at.offers.delete(number);
	},
	MatchPaused(at) {
		at.isPaused = true;
	},
	MatchResumed(at) {
		at.isPaused = false;
		at.keep(({ terms }) => terms.is !== "go_on");
	},
	MatchEnded(at) {
		at.isOver = true;
		at.asked.clear();
		at.offers.clear();
		at.isPaused = false;
	},
};
