// Moments worth a replay, found in what a viewer has: sections of the chronicle, turns of what counts, dice against the odds.

/** A roll is worth a look from so many standard deviations on. */
const ODD = 2;
/** Dice of which so many had to show something. */
const FEW = 2;
/** A part of what a side has that is lost or won in one step. */
const TURN = 0.2;
const MOST = 12;

/**
 * @typedef {object} Moment
 * @property {string} kind section, turn, dice, flash
 * @property {string} text
 * @property {number} line where it begins
 * @property {number} until where it ends
 */

/** How much luckier than expected the dice of a line fell, in standard deviations; null where they needed nothing. @param {import("../client/lines.js").Line} line */
export function luckOf({ type, fields }) {
	/** @type {{ dice?: number[], needs?: number[], sides?: number }} */
	const { dice = [], needs = [], sides = 6 } = fields;
	if (type !== "DiceRolled" || dice.length < FEW || needs.length !== dice.length) {
		return null;
	}
	const chances = needs.map(need => Math.min(1, Math.max(0, (sides + 1 - need) / sides)));
	const hits = dice.filter((face, i) => face >= needs[i]).length;
	const expected = chances.reduce((sum, p) => sum + p, 0);
	const spread = Math.sqrt(chances.reduce((sum, p) => sum + p * (1 - p), 0));
	return spread ? { hits, dice: dice.length, expected, spreads: (hits - expected) / spread } : null;
}

/** What counts most for each side. @param {Scene} scene */
const keys = scene =>
	Object.entries(scene.seats).flatMap(([seat, plate]) =>
		Object.values(plate.counters)
			.filter(counter => counter.key && typeof counter.v === "number")
			.map(counter => ({ seat, name: plate.name, label: counter.label, v: Number(counter.v), max: counter.max })),
	);

/** Where what counts changed by much from one Scene to the next. @param {Scene} before @param {Scene} after @returns {string[]} */
export function turnsOf(before, after) {
	const was = keys(before);
	return keys(after).flatMap((now, i) => {
		const change = now.v - (was[i]?.v ?? now.v);
		const whole = Number(now.max ?? Math.max(now.v, was[i]?.v ?? 0, 1));
		return Math.abs(change) >= TURN * whole ? [`${now.name}: ${now.label} ${was[i].v} → ${now.v}`] : [];
	});
}

export class Moments {
	/** The latest first. @type {Moment[]} */
	list = [];

	/** @param {(moment: Moment) => void} found @param {(key: string, values: object) => string} t */
	constructor(found, t) {
		this.found = found;
		this.t = t;
	}

	/** @param {Moment} moment */
	add(moment) {
		this.list = [moment, ...this.list].slice(0, MOST);
		this.found(moment);
	}

	/** Lines that a viewer was told and has checked. @param {import("../client/lines.js").Line[]} lines */
	hear(lines) {
		for (const line of lines) {
			const luck = luckOf(line);
			if (luck && Math.abs(luck.spreads) >= ODD) {
				const { hits, dice, expected } = luck;
				const text = this.t("diceOdd", { hits, dice, expected: expected.toFixed(1) });
				this.add({ kind: "dice", text, line: Math.max(1, line.seq - 1), until: line.seq });
			}
		}
	}

	/** A step that came. @param {Scene} before @param {Scene} after @param {Step} step @param {(line: Words.Line | undefined) => string} plain */
	see(before, after, step, plain) {
		const line = before.seq ?? 1;
		const until = after.seq ?? line;
		for (const text of turnsOf(before, after)) {
			this.add({ kind: "turn", text, line, until });
		}
		const head = (step.log ?? []).findLast(told => told.k === "head");
		if (head) {
			this.close(line);
			this.add({ kind: "section", text: plain(head), line, until: 0 });
		} else if (step.cues?.some(cue => cue.k === "banner")) {
			this.add({ kind: "flash", text: plain(step.log?.at(-1)), line, until });
		}
	}

	/** The section under way ends at a line. @param {number} line */
	close(line) {
		this.list = this.list.map(one => (one.kind === "section" && !one.until ? { ...one, until: line } : one));
	}
}
