// Answers that a seat signs before it is asked, for its server to keep (docs/record.md 5, "Standing answers").
import { concat, same, tagged, u64, u8, unb64, utf8, type Bytes } from "./hashes.js";
import type { MatchVerifier } from "./seating.js";
import { parse, type Taken } from "./verify.js";

type Data = Record<string, any>;

/** A number greater than that of any decision of a match. */
export const NEVER = 2 ** 31;

/**
 * A seat's answer to a later question: if the seat is asked a decision of this `kind`, whose `terms` include these and whose number
 * is at most `until`, it chooses `then`, a choice with its name in `do`.
 */
export interface Instruction {
	kind: string;
	then: Data;
	terms?: Data;
	until?: number;
}

const FIELDS = "kind,terms,then,until";
const BINDS = 3;
const HASH_BYTES = 32;

/** An instruction as it is signed. */
export const written = ({ kind, then, terms = {}, until = NEVER }: Instruction) =>
	JSON.stringify({ kind, terms, until, then });

/** c: the commitment of a seat to an instruction. */
export const fixed = (mid: Bytes, seat: number, salt: Bytes, text: string) =>
	tagged("standing", salt, mid, u8(seat), utf8(text));

/** The text that a seat signs ahead: it names the last line that the seat has seen, and has an id of its own. */
export function standingMessage(mid: Bytes, { seat, id = "", ack_seq = 0, ack_head = "" }: Data, committed: Bytes) {
	const name = utf8(id);
	const said = [u64(ack_seq), unb64(ack_head), u8(name.length), name, committed];
	return concat([utf8("hr2/standing\0"), tagged("sign", mid, u8(seat), ...said)]);
}

const named = (value: unknown) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A value with its names in a fixed order. */
const ordered = (_: string, value: any) =>
	named(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Whether two values are equal in JSON, in any order of their names. */
const alike = (one: unknown, other: unknown) => JSON.stringify(one, ordered) === JSON.stringify(other, ordered);

/** Whether a text is an instruction with a question and a choice. */
function leads(text: string, asked: Data, choice: unknown) {
	const said = parse(text);
	if (!named(said) || Object.keys(said).sort().join() !== FIELDS || !named(said.terms)) {
		return false;
	}
	const terms = Object.entries(said.terms).every(
		([name, value]) => Object.hasOwn(asked.terms, name) && alike(asked.terms[name], value),
	);
	const isMeant = said.kind === asked.kind && Number.isInteger(said.until) && asked.number <= said.until;
	return isMeant && terms && alike(said.then, choice);
}

/** Follows the lines that end a seat's answers ahead, and checks the answers that are used. */
export class Standing {
	/** The last line in which each seat chose by hand, or took another key. */
	byHand: Map<number, number> = new Map();
	/** The last line that put everybody into another position. */
	placedAt = 0;
	/** The last choice that this viewer can read in each kind of question, with the question's number. */
	said: Map<string, { number: number; then: Data }> = new Map();

	/** Continues after a line; `asked`: the questions that were open before it. */
	take(type: string, { seq, payload, openings }: Taken, asked: Data[]) {
		if (type === "PositionSet") {
			this.placedAt = seq;
		} else if (type === "SeatKeyed" || (type === "Chosen" && (payload.by ?? "seat") === "seat")) {
			this.byHand.set(payload.seat, seq);
		}
		const choice = type === "Chosen" && openings.find(([slot]) => slot === 0)?.[1];
		const question = asked.find(one => one.number === payload.number);
		if (choice && question) {
			this.said.set(question.kind, { number: payload.number, then: JSON.parse(choice) });
		}
	}

	/** Fails if a seat has not signed this answer ahead, or has ended it since. */
	check(at: MatchVerifier, taken: Taken, asked: Data[]) {
		const { seq, payload, openings } = taken;
		const { seat, number, ack_seq = 0 } = payload;
		const { key } = at.person(seq, seat, "answers ahead");
		if (at.version < BINDS || !key || ack_seq < Math.max(1, this.placedAt, this.byHand.get(seat) ?? 0)) {
			at.fail(seq, `seat ${seat} has signed no answer ahead that holds here`);
		}
		const committed = at.committed(taken);
		at.signed(taken, "instruction", () => [standingMessage(at.mid, payload, committed)]);
		at.once(taken);
		const [choice = "null", opened] = [0, 1].map(slot => openings.find(([one]) => one === slot)?.[1]);
		const question = asked.find(one => one.number === number);
		if (opened !== undefined && !(question && this.opens(at, payload, JSON.parse(opened), choice, question))) {
			at.fail(seq, `seat ${seat} did not answer so ahead`);
		}
	}

	/** Whether salt and instruction open the commitment, and lead to the choice. */
	opens(at: MatchVerifier, { seat, commitment }: Data, opened: unknown, choice: string, question: Data) {
		const [salt, text] = Array.isArray(opened) && opened.length === 2 ? opened : ["", ""];
		const held = unb64(salt);
		const good = held.length === HASH_BYTES && same(fixed(at.mid, seat, held, text), unb64(commitment));
		return good && leads(text, question, JSON.parse(choice));
	}
}
