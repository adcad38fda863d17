// Moments worth a replay, found in what a viewer has: sections of the chronicle, turns of what counts, dice against the odds.

/** The part of a side's total whose loss or gain in one step is a turn. */
const TURN = 0.2;
const MOST = 12;

/**
 * @typedef {object} Moment
 * @property {string} kind section, turn, dice, flash
 * @property {string} text
 * @property {number} line where it begins
 * @property {number} until where it ends
 */

/** The counters that count most for each side. @param {Scene} scene */
const keys = scene =>
	Object.entries(scene.seats).flatMap(([seat, plate]) =>
		Object.values(plate.counters)
			.filter(counter => counter.key && typeof counter.v === "number")
			.map(counter => ({ seat, name: plate.name, label: counter.label, v: Number(counter.v), max: counter.max })),
	);

/** The counters that changed much from one Scene to the next. @param {Scene} before @param {Scene} after @returns {string[]} */
export function turnsOf(before, after) {
	const was = keys(before);
	return keys(after).flatMap((now, i) => {
		const change = now.v - (was[i]?.v ?? now.v);
		const whole = Number(now.max ?? Math.max(now.v, was[i]?.v ?? 0, 1));
		return Math.abs(change) >= TURN * whole ? [`${now.name}: ${now.label} ${was[i].v} → ${now.v}`] : [];
	});
}

/** The last roll on the table. @param {Scene} scene */
export const rollOf = scene => Object.values(scene.zones).find(zone => zone.geom.type === "tray")?.geom.roll;

/** The player and the piece that rolled. @param {Scene} scene */
function rollerOf(scene) {
	const [first] = rollOf(scene)?.groups ?? [];
	return [first && scene.seats[first.owner]?.name, first?.label].filter(Boolean).join(", ");
}

export class Moments {
	/** The moments, the latest first. @type {Moment[]} */
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

	/** Takes a new step. @param {Scene} before @param {Scene} after @param {Step} step @param {(line: Words.Line | undefined) => string} plain */
	see(before, after, step, plain) {
		const line = before.seq ?? 1;
		const until = after.seq ?? line;
		for (const text of turnsOf(before, after)) {
			this.add({ kind: "turn", text, line, until });
		}
		for (const { odds: [hits, dice, expected] = [] } of step.cues ?? []) {
			if (dice) {
				const text = [rollerOf(after), this.t("diceOdd", { hits, dice, expected })].filter(Boolean).join(": ");
				this.add({ kind: "dice", text, line, until });
			}
		}
		const head = (step.log ?? []).findLast(told => told.k === "head");
		/** @param {Words.Cue} cue */
		const isTold = ({ k, tone }) => tone === "loss" || (!head && (k === "banner" || after.prompt?.mode === "over"));
		const told = (step.cues ?? []).filter(cue => ["banner", "result"].includes(cue.k) && isTold(cue));
		for (const { t: text } of told) {
			this.add({ kind: "flash", text: text ?? "", line, until });
		}
		if (head) {
			this.close(line);
			this.add({ kind: "section", text: plain(head), line, until: 0 });
		}
	}

	/** Ends the present section at a line. @param {number} line */
	close(line) {
		this.list = this.list.map(one => (one.kind === "section" && !one.until ? { ...one, until: line } : one));
	}
}
