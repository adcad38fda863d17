// Scenes in their order: a timeline that can run both ways.
import { applyStep } from "../client/patches.js";

/** The rows of the rules that a sentence names in brackets. */
export const ROWS = /\s\((?:[A-Z]{2}-\w+(?:,\s)?)+\)/g;

/** A line of the chronicle without its links. @param {Words.Line | undefined} line */
export const plainText = line =>
	line
		? [line.t]
				.flat()
				.map(part => (typeof part === "string" ? part : part.t))
				.join("")
		: "";

/** The last heading of some lines, as a list of one or none. @param {Words.Line[] | undefined} log */
const lastHeading = log =>
	(log || [])
		.filter(line => line.k === "head")
		.map(plainText)
		.slice(-1);

/**
 * A first Scene and the steps after it; a step may be a whole Scene (after a reconnection). Every 16th Scene is kept, so a seek
 * applies at most 16 patches.
 */
export class Timeline {
	/** The last Scene asked for, with its step. @type {[number, Scene] | undefined} */
	last = undefined;

	/** @type {Step[]} */
	steps = [];
	/** The lines of the chronicle, each with the step that tells it. @type {Told[]} */
	lines = [];

	/** @param {Scene} scene @param {Step[]} steps @param {number} every */
	constructor(scene, steps = [], every = 16) {
		this.first = scene;
		this.every = every;
		this.kept = new Map([[0, scene]]);
		this.tell(scene.log);
		steps.forEach(step => this.push(step));
	}

	/** Takes the lines of the last step. @param {Words.Line[] | undefined} log */
	tell(log = []) {
		this.lines.push(...log.map(line => ({ line, at: this.length })));
	}

	get length() {
		return this.steps.length;
	}

	/** @param {number} i */
	at(i) {
		let base = Math.floor(i / this.every) * this.every;
		while (!this.kept.has(base)) {
			base -= this.every;
		}
		let scene = this.kept.get(base) ?? this.first;
		for (let k = base; k < i; k++) {
			scene = this.last?.[0] === k + 1 ? this.last[1] : applyStep(scene, this.steps[k]);
			if ((k + 1) % this.every === 0) {
				this.kept.set(k + 1, scene);
			}
		}
		this.last = [i, scene];
		return scene;
	}

	/** @param {Step} step */
	push(step) {
		this.steps.push(step);
		const { log, scene } = step;
		if (scene?.log) {
			// a whole Scene has all lines, and maybe fewer of them
			this.lines = this.lines.slice(0, scene.log.length);
		}
		this.tell(scene?.log ? scene.log.slice(this.lines.length) : log);
	}

	/** The first step that shows a piece of some player's on the board; the first Scene if there is none. */
	opening() {
		for (let i = 0; i <= this.length; i++) {
			const { pieces, zones } = this.at(i);
			const isPlace = (/** @type {any} */ z) => z?.slots || z?.geom.type === "map";
			if (Object.values(pieces).some(p => p.owner !== undefined && isPlace(zones[p.zone ?? ""]))) {
				return i;
			}
		}
		return 0;
	}

	/** The step that shows a line: the first that has it. @param {number} seq */
	find(seq) {
		if (seq <= (this.first.seq ?? 0)) {
			return 0;
		}
		const i = this.steps.findIndex(step => (step.seq ?? step.scene?.seq) >= seq);
		return i < 0 ? this.steps.length : i + 1;
	}

	/** The places of headings in the chronicle. @returns {[number, string][]} step and text */
	headings() {
		const logs = [this.first.log, ...this.steps.map(step => step.log)];
		return logs.flatMap((log, i) => lastHeading(log).map(text => /** @type {[number, string]} */ ([i, text])));
	}
}
