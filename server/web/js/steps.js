// The page's place among the Scenes of a match, and the way to another one.
import { say } from "./page.js";
import { plainText, Timeline } from "./scene.js";

/** Timings that are kept. */
const MOST_TIMINGS = 500;

/** How long it took to show each of the last steps, in ms. @type {{ apply: number[] }} */
export const metrics = { apply: [] };

/** A line as it is read aloud: headings have no stop. @param {string} text */
const stopped = text => (/[.!?:…]$/.test(text) ? text : `${text}.`);

/** The text of a step for screen readers: its lines, and those decisions that the lines do not mention. @param {Step | undefined} step */
function saidOf(step) {
	const told = step?.log?.map(line => stopped(plainText(line))).join(" ") ?? "";
	const decided = step?.cues?.filter(cue => cue.k === "result").flatMap(cue => [cue.t, cue.sub]) ?? [];
	const more = decided.filter(text => text && !told.includes(text.replace(/\.$/, "")));
	return [told, ...more.map(text => stopped(text ?? ""))].filter(Boolean).join(" ");
}

/** @param {number} ms */
function keepTiming(ms) {
	metrics.apply.push(ms);
	if (metrics.apply.length > MOST_TIMINGS) {
		metrics.apply.shift();
	}
}

export class Steps {
	/** @type {Timeline | undefined} */
	time = undefined;
	/** The step that is shown; 0: the first Scene. */
	at = 0;

	/** @param {import("./view.js").View} view @param {import("./replay.js").Replay} bar */
	constructor(view, bar) {
		this.view = view;
		this.bar = bar;
	}

	/** Whether the last step is shown. */
	get isLast() {
		return this.at === this.time?.length;
	}

	/** Begins with a Scene and maybe steps after it. @param {Scene} scene @param {Step[]} [steps] */
	begin(scene, steps) {
		return this.begun(new Timeline(scene, steps));
	}

	/** Continues with other Scenes, among which the present step has a number higher by `shift`. @param {Timeline} time @param {number} [shift] */
	begun(time, shift = 0) {
		this.time = time;
		this.at += shift;
		this.view.lines = () => time.lines;
		return time;
	}

	/** Shows a step; undefined if there is none. @param {number} i @param {boolean} animated */
	async go(i, animated) {
		const { time, view } = this;
		if (!time || i < 0 || i > time.length) {
			return;
		}
		const step = i > 0 ? time.steps[i - 1] : undefined;
		const forward = animated && i === this.at + 1 && view.fx.speed > 0;
		if (forward) {
			await view.fx.run(step?.cues, "pre");
		}
		const far = Math.abs(i - this.at) > 1;
		this.at = i;
		const line = (forward || animated) && saidOf(step);
		if (line) {
			say(line);
		}
		const begun = performance.now();
		view.show(time.at(i), { instant: !animated || far || !view.fx.speed });
		keepTiming(performance.now() - begun);
		this.bar.show(i);
		if (forward) {
			await view.fx.run(step?.cues, "post");
		}
	}
}
