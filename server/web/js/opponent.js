// A search for opponents, kept alive by asking again; the seat is drawn by sealed lots, which are checked here.
import { b64, unb64 } from "../client/hashes.js";
import { newKey, random } from "../client/keys.js";
import { drawFault, sealedLot } from "../client/seatdraw.js";
import { keepMatch, seatLink } from "./prefs.js";

const BYTES = 32;
const POLL_MS = 2000;
const SOON_MS = 200;

const drawn = () => b64(random(BYTES));

/** @param {number} ms */
const pause = ms =>
	new Promise(go => {
		setTimeout(go, ms);
	});

/**
 * Keeps a seat that a person has, and goes to its table.
 * @param {{ match: string, seat: number, game: string }} found @param {string} token @param {string} title
 * @param {Pick<HeldMatch, "called" | "rekey" | "shows">} more the name of the opponent, whether somebody else's key signs there, and
 * the viewers who may know the person
 */
export async function sitDown({ match, seat, game }, token, title, more) {
	const key = await newKey();
	keepMatch({ match, seat, token, game, title, at: Date.now(), key: key?.own, open: key?.open, ...more });
	location.href = seatLink(match, token, key?.own);
}

export const newToken = drawn;

export class OpponentSearch {
	token = drawn();
	lot = drawn();
	/** The commitments that were known before one's own lot was shown. @type {string[]} */
	sealed = [];
	begins = true;
	bot = "";
	on = true;

	/** @param {import("./account.js").Door} door @param {object} wish the terms, and when a bot is offered @param {number} seats of the match */
	constructor(door, wish, seats) {
		this.door = door;
		this.wish = wish;
		this.seats = seats;
	}

	/** Asks once. @returns {Promise<Wire.Search>} */
	async ask() {
		const own = sealedLot(unb64(this.lot));
		const asked = {
			...this.wish,
			token: this.token,
			sealed: own,
			...(this.begins && { begins: true }),
			...(this.sealed.length > 0 && { lot: this.lot }),
			...(this.bot && { bot: this.bot }),
		};
		/** @type {Wire.Search} */
		const told = await this.door.ask("play-now", asked);
		this.begins = false;
		this.take(told, own);
		return told;
	}

	/** @param {Wire.Search} told @param {string} own */
	take(told, own) {
		const { sealed = [] } = told;
		if (told.state === "found") {
			this.check(told, own);
		} else if (told.fresh) {
			this.lot = drawn();
			this.sealed = [];
		} else if (told.state === "drawing") {
			if (!sealed.includes(own) || (this.sealed.length && this.sealed.join() !== sealed.join())) {
				throw new Error("drawChanged");
			}
			this.sealed = sealed;
		} else {
			this.sealed = [];
		}
	}

	/** Checks that one's own lot gives this seat, and that the commitments are those known before. @param {Wire.Search} told @param {string} own */
	check({ match = "", seat = 0, drawn: draw }, own) {
		const told = draw && [...draw.sealed].sort().join();
		const isSame = !this.sealed.length || told === [...this.sealed].sort().join();
		if (!draw || draw.sealed[seat] !== own || !isSame || drawFault(match, draw)) {
			throw new Error("drawChanged");
		}
	}

	/** Asks until a match is found. @param {(told: Wire.Search) => void} heard @returns {Promise<Wire.Search | null>} */
	async run(heard) {
		while (this.on) {
			const told = await this.ask();
			if (!this.on || told.state === "found") {
				return this.on ? told : null;
			}
			heard(told);
			await pause(told.state === "waiting" && !this.bot ? POLL_MS : SOON_MS);
		}
		return null;
	}

	/** Stops the search. */
	async stop() {
		this.on = false;
		await this.door.ask("stop-search", { token: this.token });
	}
}
