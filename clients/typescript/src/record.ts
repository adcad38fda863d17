// A record that is read line by line, without a network: every line is verified, and given as data.
import { personBehind, type Opening as ClaimOpening, type SeatClaim } from "./claims.js";
import { GAMES } from "./games.js";
import { MatchVerifier, type Seated } from "./seating.js";
import { b64, unb64 } from "./hashes.js";
import { type Line, lineOf, type Result, resultOf } from "./lines.js";
import { type Games, Strict } from "./strict.js";
import { type Broken, isSigned, type Opening } from "./verify.js";

const STAMP_KEY = [8, 40] as const;

/** Verifies a match: chain, openings, heads, signatures, shares, dice, and the right to speak for a seat. */
export class Verifier {
	/** The last line under a good signature of the server. */
	signedTo = 0;
	/** Public keys of servers that signed. */
	readonly servers = new Set<string>();
	result: Result | null = null;
	readonly #inner: MatchVerifier;

	/**
	 * `keys`: the keys of audiences, by mask, as `welcome` has them. `games`: tables of the lines of games that this library
	 * does not know, by name (docs/schema/lines.json).
	 */
	constructor(match: string, keys: Record<string, string> = {}, games: Games = {}) {
		this.#inner = new MatchVerifier({ match, keys, strict: new Strict({ ...GAMES, ...games }) });
	}

	get match(): string {
		return this.#inner.match;
	}

	get seq(): number {
		return this.#inner.seq;
	}

	/** The chain's hash after the last line. */
	get head(): string {
		return b64(this.#inner.head);
	}

	get at(): number {
		return this.#inner.at;
	}

	get seated(): ReadonlyMap<number, Seated> {
		return this.#inner.seated;
	}

	/** Commitments to shares of chance, by seat. */
	get committed(): ReadonlyMap<number, string> {
		return this.#inner.commitments;
	}

	/** Shares of chance that are revealed, by seat. */
	get entropy(): ReadonlyMap<number, Uint8Array> {
		return this.#inner.entropy;
	}

	get isBegun(): boolean {
		return this.#inner.isBegun;
	}

	/**
	 * The weaknesses of the record, by name; a verdict must state them first. `version`: the record is of an older version;
	 * `keys`: a person's seat did not always sign; `shares`: somebody could have chosen the dice; `reveal`: the end does not
	 * open its secrets to everybody; `signatures`: the server has not signed the last line; `commit`: another line must still follow
	 * the last one.
	 */
	get lacks(): string[] {
		const unsigned = this.signedTo < this.seq ? ["signatures"] : [];
		return [...this.#inner.lacks, ...unsigned, ...(this.#inner.isUnfinished ? ["commit"] : [])];
	}

	/** The fault, after which nothing is believed. */
	get fault(): Broken | null {
		return this.#inner.fault;
	}

	/** Takes the next line, with the openings held. Throws `Broken`. */
	async take(text: string, openings: Opening[] = []): Promise<Line> {
		this.#inner.take(text, openings);
		await this.#inner.prove();
		const line = lineOf(text, openings);
		this.result = resultOf(line) ?? this.result;
		return line;
	}

	/** The chain's hash after a line, as the server states it. Throws `Broken`. */
	claim(seq: number, hash: string): void {
		this.#inner.claim(seq, hash);
	}

	/**
	 * The seat behind which the person of an opening stands (docs/record.md 5, Persons); null if this
	 * platform cannot check signatures. Throws `Broken`.
	 */
	person(opening: ClaimOpening): Promise<SeatClaim | null> {
		return personBehind(this.#inner.match, this.#inner.persons, opening);
	}

	/** Whether the server's signature under a line is valid; null if this platform cannot check it. Throws `Broken`. */
	async checkpoint(seq: number, signed: string): Promise<boolean | null> {
		const good = await isSigned(this.#inner, seq, signed);
		if (good === false) {
			this.#inner.fail(seq, "the server's signature is not right");
		}
		if (good) {
			this.signedTo = Math.max(this.signedTo, seq);
			this.servers.add(b64(unb64(signed).subarray(...STAMP_KEY)));
		}
		return good;
	}
}
