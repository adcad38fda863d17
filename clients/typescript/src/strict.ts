// The part of the verifier that knows the shape and order of lines. It is large; a page loads it with its first line.
import { Order } from "./order.js";
import type { MatchVerifier } from "./seating.js";
import { rulesNumber, Shapes, type Table } from "./shapes.js";
import { Standing } from "./standing.js";
import type { Taken } from "./verify.js";

export type Games = Record<string, Table>;

/** Checks the shape of the lines of one match, that their rules exist, and, from version 2 on, their order. */
export class Strict {
	games: Games;
	shapes = new Shapes();
	order = new Order(this.shapes);
	standing = new Standing();
	rules = "";
	seats = 0;

	/** `games`: tables of the lines of games, by name; lines of any other game are not checked. */
	constructor(games: Games = {}) {
		this.games = games;
	}

	/** Why a line lacks its shape; nothing if it has it. */
	shapeFault(type: string, { seq, payload, seals, openings, rules }: Taken) {
		if (seq === 1) {
			this.shapes = new Shapes(Object.hasOwn(this.games, payload.game) ? this.games[payload.game] : undefined);
			this.order = new Order(this.shapes);
			this.seats = payload.seats?.length ?? 0;
		}
		const masks = seals.map(([mask]) => mask);
		let wrong = this.shapes.fault(type, payload, masks, this.seats);
		for (const [slot, value] of openings) {
			wrong ||= this.shapes.openedFault(type, slot, JSON.parse(value));
		}
		wrong ||= this.rulesFault(type, payload, rules);
		this.rules = rules;
		return wrong;
	}

	/** Why a line's rules are wrong: they are unknown, so that anything could be claimed to follow from them, or a change makes them no newer. */
	rulesFault(type: string, { game }: Taken["payload"], rules: string) {
		if (type !== "MatchCreated" && type !== "RulesChanged") {
			return "";
		}
		const name = game ?? this.rules.split("/")[0];
		const number = rulesNumber(rules);
		const least = type === "MatchCreated" ? 0 : rulesNumber(this.rules) + 1;
		const known = rules === `${name}/${number}` && number >= least && number <= (this.shapes.game?.rules ?? number);
		return known ? "" : `the rules ${rules} are none that this program knows here`;
	}

	/** Why a line is impossible here; nothing if it is possible. */
	orderFault(type: string, taken: Taken) {
		this.standing.take(type, taken, this.asked);
		return this.order.fault(type, taken);
	}

	/** The open questions as their line has them. */
	get asked() {
		return this.order.state?.asked ?? [];
	}

	/** Checks an answer that its seat signed before it was asked. */
	ahead(verifier: MatchVerifier, taken: Taken) {
		this.standing.check(verifier, taken, this.asked);
	}
}
