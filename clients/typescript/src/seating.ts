// The holder of each seat of a match, and the statements in its name (docs/record.md 5), as far as public lines prove them.
import { Agreements } from "./agreements.js";
import type { SeatClaim } from "./claims.js";
import { fits } from "./curve.js";
import { b64, concat, same, tagged, u32, u64, u8, unb64, utf8, type Bytes } from "./hashes.js";
import type { Strict } from "./strict.js";
import { type Holding, Verifier, type Taken } from "./verify.js";

type Payload = Record<string, any>;
/** A seat that is taken: its holder, its key, the line since which it has them, and the way in which its share of chance was given. */
export type Seated = { name: string; kind: string; key: string; since: number; share: string };
type Offer = { seat: number; terms: Payload; agreed: number[] };
type Proof = { seq: number; seat: number; what: string; key: Bytes; messages: Bytes[]; signature: Bytes };

const STANDING = "standing";
const BY = ["seat", "bot", "clock", STANDING, "rules"];
const REVEAL_MS = 60_000;
const VOID = "void: ";
const NOTHING = new Uint8Array();
/** From this version on, a signature acknowledges the line that it answers, and an answer to an offer names its terms. */
export const BINDS = 3;
const ANSWERS = ["Agreed", "Declined"];

/** The text of a seat's act, without the server's additions. */
const SAID: Record<string, (p: Payload) => unknown[]> = {
	Resigned: () => ["resign"],
	Offered: ({ terms }) => ["offer", Object.fromEntries(Object.entries(terms).filter(([name]) => name !== "absent_ms"))],
	Agreed: ({ number }) => ["agree", number],
	Declined: ({ number }) => ["decline", number],
	AbsenceClaimed: ({ absent, draw }) => ["claim", absent, draw ?? false],
	VacationTaken: ({ length_ms }) => ["vacation", length_ms],
	VacationEnded: () => ["vacation", 0],
	HintAsked: ({ number }) => ["hint", number],
};

const FACTS: Record<
	string,
	| "taken"
	| "keyed"
	| "claimed"
	| "shared"
	| "chose"
	| "asked"
	| "offered"
	| "agreed"
	| "declined"
	| "settled"
	| "replaced"
	| "placed"
	| "ended"
	| "begun"
	| "leave"
	| "hinted"
> = {
	SeatTaken: "taken",
	SeatKeyed: "keyed",
	SeatClaimed: "claimed",
	EntropyCommitted: "shared",
	Chosen: "chose",
	DecisionsOpened: "asked",
	Offered: "offered",
	Agreed: "agreed",
	Declined: "declined",
	OfferAccepted: "settled",
	SeatReplaced: "replaced",
	PositionSet: "placed",
	MatchEnded: "ended",
	MatchBegun: "begun",
	SeatLeft: "leave",
	HintAsked: "hinted",
};

/** The seats that a line may put out of the match. */
const OUT: Record<string, (p: Payload) => number> = {
	Resigned: ({ seat }) => seat,
	AbsenceClaimed: ({ absent, draw }) => (draw ? -1 : absent),
	TimeRanOut: ({ seat, then }) => (then === "forfeit" ? seat : -1),
};

const acknowledged = (seq: number, head: string) => concat([u64(seq), head ? unb64(head) : NOTHING]);

const named = (name: string) => concat([u8(utf8(name).length), utf8(name)]);

/** c: the commitment with which a client fixes its answer. */
export const answerCommitment = (mid: Bytes, seat: number, number: number, salt: Bytes, answer: string) =>
	tagged("choice", salt, mid, u8(seat), u32(number), utf8(answer));

/** The text that a seat signs for a choice. */
export const choiceMessage = (
	mid: Bytes,
	{
		seat,
		number,
		id = "",
		ack_seq = 0,
		ack_head = "",
	}: { seat: number; number: number; id?: string; ack_seq?: number; ack_head?: string },
	committed: Bytes,
) => {
	const front = [mid, u8(seat), u32(number), acknowledged(ack_seq, ack_head), named(id), committed];
	return concat([utf8("hr2/choice\0"), tagged("sign", ...front)]);
};

/** The text that a seat signs for any other statement; `said` is plain data. */
export const actMessage = (
	mid: Bytes,
	{ seat, id = "", ack_seq = 0, ack_head = "" }: { seat: number; id?: string; ack_seq?: number; ack_head?: string },
	said: unknown[],
) => {
	const words = [mid, u8(seat), acknowledged(ack_seq, ack_head), named(id), utf8(JSON.stringify(said))];
	return concat([utf8("hr2/act\0"), tagged("sign", ...words)]);
};

const alike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A verifier that also knows who may speak for a seat. `prove` checks the signatures separately, because WebCrypto is asynchronous. */
export class MatchVerifier extends Verifier {
	seated: Map<number, Seated> = new Map();
	/** signatures that were checked */
	signatures = 0;
	/** signatures that this program cannot check */
	unproved = 0;
	/** The check of the shape and order of lines. */
	strict: Strict | undefined;
	/** The agreements and the open questions. */
	agreements = new Agreements();
	/** The last line in which each seat made a choice. */
	chosenAt: Map<number, number> = new Map();
	/** The keys of seats behind which a person stands, by the line that says so. */
	persons: Map<number, SeatClaim> = new Map();
	proofs: Proof[] = [];
	spoken: Set<string> = new Set();
	offers: Map<number, Offer> = new Map();
	limits: Map<number, [number, number]> = new Map();
	/** Seats for which a line gives a reason to be out. */
	leaving: Set<number> = new Set();
	/** Seats that have left. */
	gone: Set<number> = new Set();
	/** The seats whose share of chance is fixed and not revealed, and the author of each. */
	owed: Map<number, string> = new Map();
	askedAt = 0;
	committedAt = 0;
	spent = 0;
	waits = false;
	/** Whether seats may ask for hints, and the decisions for which they have. */
	hints = false;
	hintsAsked: Set<number> = new Set();
	isBegun = false;
	lot: Payload | null = null;
	accepted: Payload | null = null;
	/** Whether the host of the server has just made the match void. */
	isVoided = false;
	isScenario = false;

	/** As for `Verifier`; `strict` may be set later, before the first line. */
	constructor(of: Holding & { strict?: Strict }) {
		super(of);
		this.strict = of.strict;
	}

	/** Sets the check of the shape and order of lines, unless there is one already. */
	hold(strict: Strict) {
		this.strict ??= strict;
	}

	/** Every line has its fields, their types and its slots. */
	shaped(type: string, taken: Taken) {
		const wrong = this.strict ? this.strict.shapeFault(type, taken) : "nobody here knows its shape";
		if (wrong) {
			this.fail(taken.seq, wrong);
		}
	}

	/** @@override */
	override meaning(type: string, taken: Taken) {
		this.shaped(type, taken);
		super.meaning(type, taken);
		const { payload } = taken;
		if (taken.seq === 1) {
			this.waits = payload.shares ?? false;
			this.hints = Boolean(payload.hints) && !payload.dealt;
		}
		if (Object.hasOwn(SAID, type)) {
			this.acted(type, taken);
		}
		if (Object.hasOwn(FACTS, type)) {
			this[FACTS[type]](taken);
		}
		if (type === "EntropyRevealed") {
			this.owed.delete(payload.seat);
		}
		this.remember(type, taken);
		this.agreements.take(type, taken);
		const wrong = this.version > 1 && this.strict?.orderFault(type, taken);
		if (wrong) {
			this.fail(taken.seq, wrong);
		}
	}

	/** The lines from which the next line may follow. */
	remember(type: string, { seq, payload }: Taken) {
		if (type === "Shuffled" || (type === "DiceRolled" && payload.dice.length)) {
			this.spent = seq;
		}
		if (Object.hasOwn(OUT, type)) {
			this.leaving.add(OUT[type](payload));
		}
		if (type !== "Shuffled") {
			this.lot = type === "TimeRanOut" ? payload : null;
		}
		this.isVoided = type === "OperatorRuled" && Boolean(payload.void);
		this.isScenario ||= type === "ScenarioOpened";
		if (type === "OfferAccepted") {
			this.accepted = payload;
		} else if (type !== "SeatBriefed") {
			this.accepted = null;
		}
	}

	/** The person in a seat. */
	person(seq: number, seat: number, does: string): Seated {
		const held = this.seated.get(seat);
		if (!held || held.kind !== "person") {
			return this.fail(seq, `seat ${seat} ${does}, and no person holds it`);
		}
		return held;
	}

	/** Notes a signature to be checked; fails if it is missing, or if the seat has no key. `messages`: one of these is signed. */
	signed({ seq, payload }: Taken, what: string, messages: () => Bytes[]) {
		const { seat, signature = "" } = payload;
		const key = this.seated.get(seat)?.key ?? "";
		if (!key) {
			if (signature) {
				this.fail(seq, `seat ${seat} signs and has no key`);
			}
			return;
		}
		if (!signature) {
			this.fail(seq, `the ${what} is not signed by seat ${seat}`);
		}
		this.proofs.push({ seq, seat, what, key: unb64(key), messages: messages(), signature: unb64(signature) });
	}

	taken({ seq, payload }: Taken) {
		const { seat, name, kind = "person", key = "" } = payload;
		if (this.version > 1 && (this.seated.has(seat) || !["person", "bot"].includes(kind))) {
			this.fail(seq, `seat ${seat} is taken twice, or by neither a person nor a bot`);
		}
		this.seated.set(seat, { name, kind, key, since: 0, share: "" });
	}

	keyed(taken: Taken) {
		const { seq, payload } = taken;
		const held = this.person(seq, payload.seat, "has another key");
		if (payload.signature && !held.key) {
			this.fail(seq, `the key of seat ${payload.seat} is signed, and there was none before`);
		}
		if (payload.signature) {
			this.signed(taken, "new key", () => [actMessage(this.mid, { seat: payload.seat }, ["key", payload.key])]);
		} else if (held.key || this.isBegun) {
			// a first key before play begins is as good as a key that came with the seat
			held.since = seq;
		}
		held.key = payload.key;
	}

	/** The seat's own key states once that a person stands behind it; an opening tells which. */
	claimed(taken: Taken) {
		const { seat, commitment } = taken.payload;
		const { key } = this.person(taken.seq, seat, "is a person's");
		const known = [...this.persons.values()].some(one => one.seat === seat && one.key === key);
		if (this.version < BINDS || !key || known) {
			this.fail(taken.seq, `a person stands behind the key of seat ${seat} twice, or behind none`);
		}
		if (unb64(commitment).length !== 32) {
			this.fail(taken.seq, "the commitment to a person is none");
		}
		this.signed(taken, "person", () => [actMessage(this.mid, { seat }, ["person", commitment])]);
		this.persons.set(taken.seq, { seat, key, commitment });
	}

	shared(taken: Taken) {
		const { seq, at, payload } = taken;
		const { seat, by = "seat", signature } = payload;
		this.committedAt = at;
		this.owed.set(seat, by);
		const held = this.seated.get(seat);
		if (this.version === 1) {
			if (held) {
				held.share = by;
			}
			return;
		}
		if (by === "server") {
			if (signature || (this.waits && held?.kind !== "bot")) {
				this.fail(seq, `the server gives the share of chance of seat ${seat}`);
			}
			return;
		}
		if (by !== "seat") {
			this.fail(seq, `${by} gives a share of chance for seat ${seat}`);
		}
		this.sharedBySeat(taken);
	}

	sharedBySeat(taken: Taken) {
		const { seat, commitment } = taken.payload;
		const person = this.person(taken.seq, seat, "gives a share of chance");
		this.signed(taken, "share of chance", () => [actMessage(this.mid, { seat }, ["share", commitment])]);
		person.share = person.key ? "signed" : "seat";
	}

	mayChoose(seq: number, seat: number, by: string) {
		if (!BY.includes(by)) {
			this.fail(seq, `${JSON.stringify(by)} chooses for seat ${seat}`);
		}
		if ((by === "rules") !== this.gone.has(seat)) {
			this.fail(seq, `${JSON.stringify(by)} chooses for seat ${seat}, and the rules do so once it has left`);
		}
		if (by === "bot" && this.seated.get(seat)?.kind !== "bot") {
			this.fail(seq, `a bot chooses for seat ${seat}, and no line has seated one there`);
		}
	}

	chose(taken: Taken) {
		const { seq, payload } = taken;
		const { seat, by = "seat" } = payload;
		this.mayChoose(seq, seat, by);
		if (this.version === 1) {
			return this.signedOnce(taken);
		}
		this.compareHead(seq, payload);
		if (by === STANDING) {
			this.strict?.ahead(this, taken);
		} else {
			this.answeredNow(taken);
		}
		this.chosenAt.set(seat, seq);
	}

	/** Checks an answer to the open question that was not signed ahead. */
	answeredNow(taken: Taken) {
		const { seq, payload } = taken;
		const { seat, by = "seat", commitment = "", signature = "" } = payload;
		if (by === "clock") {
			this.byClock(taken);
		}
		const held = by === "seat" ? this.person(seq, seat, "chooses") : null;
		if (held?.key) {
			const committed = this.committed(taken);
			this.signed(taken, "choice", () => [choiceMessage(this.mid, payload as any, committed)]);
			this.once(taken);
			this.reaches("Chosen", taken);
		} else if (commitment || signature) {
			this.fail(seq, `the choice for seat ${seat} is signed, and nobody there signs`);
		}
		this.opens(taken);
	}

	/** In version 1 the signature is the seat's secret: only holders of the slot can check it. */
	signedOnce({ seq, payload, openings }: Taken) {
		const { seat, number, by = "seat", id = "", ack_seq = 0, ack_head = "" } = payload;
		const value = openings.find(([slot]) => slot === 1)?.[1];
		const key = this.seated.get(seat)?.key;
		if (value === undefined || !key || by !== "seat") {
			return;
		}
		const { text = "[]", signature = "" } = JSON.parse(value) ?? {};
		if (!alike(JSON.parse(text).slice(0, 5), [this.match, number, id, ack_seq, ack_head])) {
			this.fail(seq, `the choice is not signed by seat ${seat}`);
		}
		const messages = [utf8(`hr1/choice\0${text}`)];
		this.proofs.push({ seq, seat, what: "choice", key: unb64(key), messages, signature: unb64(signature) });
	}

	/** Salt and answer, if they are held, open the commitment. */
	opens({ seq, payload, openings }: Taken) {
		const value = openings.find(([slot]) => slot === 1)?.[1];
		if (value === undefined) {
			return;
		}
		const { seat, number, commitment = "" } = payload;
		const opened = JSON.parse(value);
		let good = !commitment && opened === null;
		if (commitment && Array.isArray(opened) && opened.length === 2) {
			const [salt, answer] = [unb64(opened[0]), opened[1]];
			good = salt.length === 32 && same(answerCommitment(this.mid, seat, number, salt, answer), unb64(commitment));
		}
		if (!good) {
			this.fail(seq, `salt and answer of seat ${seat} do not open its choice's commitment`);
		}
	}

	/** Checks a choice by the clock: unless a line of the time control has ended the seat's time, a limit that the question states must have passed. */
	byClock({ seq, at, payload }: Taken) {
		if (this.lot && this.lot.seat === payload.seat && this.lot.number === payload.number) {
			return;
		}
		const [seat, limit] = this.limits.get(payload.number) ?? [-1, 0];
		if (seat !== payload.seat || !limit || at < this.askedAt + limit) {
			this.fail(seq, `the clock chooses for seat ${payload.seat}, and its time is not over`);
		}
	}

	asked({ at, payload }: Taken) {
		this.ask(payload.asked, at);
	}

	ask(asked: Payload[], at: number) {
		this.limits = new Map(asked.map(one => [one.number, [one.seat, one.limit_ms ?? 0]]));
		this.askedAt = at;
	}

	begun({ at }: Taken) {
		this.isBegun = true;
		this.askedAt = at;
	}

	/** All acts of a seat other than choices. */
	acted(type: string, taken: Taken) {
		if (this.version === 1) {
			return;
		}
		const { seq, payload } = taken;
		const { seat, id = "", ack_seq = 0, ack_head = "" } = payload;
		this.person(seq, seat, "acts");
		this.compareHead(seq, payload);
		this.once(taken);
		const note = { seat, id, ack_seq, ack_head };
		const terms = this.answered(type, taken);
		this.signed(taken, type, () => {
			const said = [...SAID[type](payload), ...terms];
			const words = payload.terms?.is === "take_back" ? [said, ["offer", { is: "take_back" }]] : [said];
			return words.map(one => actMessage(this.mid, note, one));
		});
		this.reaches(type, taken);
	}

	/** The part of an offer that a signature under its answer covers: its terms, from version 3 on. */
	answered(type: string, { seq, payload: { seat, number } }: Taken): Payload[] {
		if (this.version < BINDS || !ANSWERS.includes(type) || !this.seated.get(seat)?.key) {
			return [];
		}
		const made = this.agreements.made.get(number);
		return made ? [made.terms] : this.fail(seq, `seat ${seat} answers offer ${number}, which nobody made`);
	}

	/** From version 3 on, a signature acknowledges the line that asked: otherwise it could answer another question. */
	reaches(type: string, { seq, payload }: Taken) {
		const { seat, number, ack_seq = 0, signature } = payload;
		const offer = ANSWERS.includes(type) ? this.agreements.made.get(number)?.seq : 0;
		const asked = ["Chosen", "HintAsked"].includes(type) ? this.agreements.askedAt : 0;
		if (this.version >= BINDS && signature && ack_seq < (offer || asked || 1)) {
			this.fail(seq, `what seat ${seat} signs acknowledges line ${ack_seq}, before what it answers`);
		}
	}

	/** The content that a seat has committed to with a choice. */
	committed({ seq, payload }: Taken) {
		const made = unb64(payload.commitment ?? "");
		return made.length === 32 ? made : this.fail(seq, "a choice's commitment has 32 bytes");
	}

	/** A seat with a key says nothing twice under one id. */
	once({ seq, payload: { seat, id = "", signature } }: Taken) {
		const place = `${seat} ${id}`;
		if (signature && this.spoken.has(place)) {
			this.fail(seq, `seat ${seat} says ${JSON.stringify(id)} twice`);
		}
		if (signature) {
			this.spoken.add(place);
		}
	}

	compareHead(seq: number, { seat, ack_seq = 0, ack_head = "" }: Payload) {
		const head = ack_seq ? this.heads[ack_seq] : NOTHING;
		if (!head || b64(head) !== ack_head) {
			this.fail(seq, `seat ${seat} was shown another record up to line ${ack_seq}`);
		}
	}

	offered({ payload }: Taken) {
		this.offers.set(payload.number, { seat: payload.seat, terms: payload.terms, agreed: [] });
	}

	agreed({ payload }: Taken) {
		this.offers.get(payload.number)?.agreed.push(payload.seat);
	}

	declined({ payload }: Taken) {
		this.offers.delete(payload.number);
	}

	/** An agreement needs an offer, and the consent of each seat that had to agree. A bot never agrees to give back chance. */
	settled({ seq, payload }: Taken) {
		const { number, seat, agreed, terms } = payload;
		const offer = this.offers.get(number);
		this.offers.delete(number);
		if (this.version === 1) {
			return;
		}
		if (!offer || !alike([offer.seat, offer.agreed, offer.terms], [seat, agreed, terms])) {
			this.fail(seq, `offer ${number} is accepted, which nobody made so or agreed to so`);
		}
		const missing = this.voters(seat, terms).filter(other => !agreed.includes(other));
		if (missing.length) {
			this.fail(seq, `offer ${number} is accepted without seat ${missing[0]}`);
		}
	}

	/** The seats that had to agree, as far as that is known without the rules. */
	voters(seat: number, terms: Payload) {
		const others = Array.from({ length: this.seats }, (_, i) => i).filter(other => other !== seat);
		const back = terms.is === "take_back";
		if (back && this.spent > terms.line) {
			return others;
		}
		if (back && !others.some(other => (this.chosenAt.get(other) ?? 0) > terms.line)) {
			return [];
		}
		const away = terms.is === "replace" && terms.absent_ms ? terms.seat : -1;
		const asked = others.filter(other => other !== away && !this.gone.has(other));
		return asked.filter(other => this.seated.get(other)?.kind === "person");
	}

	replaced({ seq, payload }: Taken) {
		const terms = this.accepted?.terms ?? {};
		const agreed = terms.is === "replace" && terms.seat === payload.seat && (terms.bot ?? "random") === payload.bot;
		if (this.version > 1 && !agreed) {
			this.fail(seq, `a bot takes seat ${payload.seat}, and nobody agreed to it`);
		}
		const held = this.seated.get(payload.seat);
		if (held) {
			held.kind = "bot";
		}
		this.offers.clear();
	}

	/** A seat is out by its own resignation, by a claim of absence, or because its time was over. */
	leave({ seq, payload: { seat } }: Taken) {
		if (!this.leaving.has(seat) || this.gone.has(seat)) {
			this.fail(seq, `seat ${seat} leaves the match, and no line says why`);
		}
		this.gone.add(seat);
		this.offers.clear();
	}

	/** Only line 1 can allow hints, and each decision allows one. */
	hinted({ seq, payload: { seat, number } }: Taken) {
		if (!this.hints || !this.isBegun || this.hintsAsked.has(number)) {
			this.fail(seq, `seat ${seat} asks for a hint that it may not ask for`);
		}
		this.hintsAsked.add(number);
	}

	placed({ seq, at, payload }: Taken) {
		const terms = this.accepted?.terms ?? {};
		const agreed = terms.is === "take_back" && terms.line === payload.line;
		if (this.version > 1 && payload.line && !agreed) {
			this.fail(seq, `the match is put back to line ${payload.line}, and nobody agreed to it`);
		}
		if (Array.isArray(payload.view.asked)) {
			this.ask(payload.view.asked, at);
		}
		this.askedAt = at;
	}

	/** A match is void by agreement, or because a seat withholds its share of chance for too long. */
	ended({ seq, at, payload }: Taken) {
		const { reason } = payload.result;
		if (this.version === 1 || !reason.startsWith(VOID) || this.accepted?.terms.is === "abandon") {
			return;
		}
		if (reason === `${VOID}by the host` && this.isVoided) {
			return;
		}
		if (reason === `${VOID}the rules cannot go on from this position` && this.isScenario && this.isBegun) {
			return;
		}
		const fixed = this.commitments.size === this.seats && [...this.owed.values()].includes("seat");
		const overdue = fixed && !this.waits && at >= this.committedAt + REVEAL_MS;
		if (reason !== `${VOID}a share of chance was never revealed` || !overdue) {
			this.fail(seq, "the match is void, and nobody agreed to it or owed a share of chance for so long");
		}
	}

	/** Checks the signatures of the lines taken since the last time. Throws `Broken`. */
	async prove() {
		while (this.proofs.length) {
			const { seq, seat, what, key, messages, signature } = this.proofs.shift() as Proof;
			const good = await fits(key, signature, messages);
			if (good === false) {
				this.fail(seq, `the ${what} is not signed by seat ${seat}`);
			}
			if (good) {
				this.signatures++;
			} else {
				this.unproved++;
			}
		}
	}

	/** Seats, from 0, for which the server could have answered, with the line from which their key counts. */
	get unproven(): [number, number][] {
		const people = [...this.seated].sort(([a], [b]) => a - b).filter(([, held]) => held.kind === "person");
		return people
			.filter(([, held]) => !held.key || held.since)
			.map(([seat, held]) => [seat, held.key ? held.since : 0]);
	}

	/** Whether the last line is in the middle of a commit: another line must follow from it. */
	get isUnfinished(): boolean {
		const due = this.strict?.order.due.length ?? 0;
		return this.version > 1 && (due > 0 || this.agreements.isResolving);
	}

	/**
	 * The weaknesses of the record, by name. `version`: the record is of an older version; `keys`: a person's seat did not
	 * always sign; `shares`: somebody could have chosen the dice; `reveal`: the end does not open its secrets to everybody.
	 */
	get lacks(): string[] {
		const { names, signed } = this.shares;
		const found: [string, boolean][] = [
			["version", this.version < BINDS],
			["keys", this.unproven.length > 0],
			["shares", this.dealt !== null || !names.length || !signed],
			["reveal", !this.isPublic],
		];
		return found.filter(([, is]) => is).map(([name]) => name);
	}

	/** The owners of the shares of chance: their names, whether all are people, and whether all shares are signed. */
	get shares() {
		const people = [...this.seated.values()].filter(
			held => held.kind === "person" || ["seat", "signed"].includes(held.share),
		);
		const given = people.filter(held => ["seat", "signed"].includes(held.share));
		return {
			names: given.map(held => held.name),
			all: given.length === people.length,
			signed: given.every(held => held.share === "signed"),
		};
	}
}
