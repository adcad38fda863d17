// A board that shows the Scenes of a match, with a director's additions: a moment, eyes, marks, an inset.
import { Board } from "./board.js";
import { $, clear, reduced, s } from "./dom.js";
import { plainText, Timeline } from "./scene.js";
import { t } from "./strings.js";

/** How long a step of a replay is shown. */
const STEP_MS = 700;
const RING_PX = 5;
/** The least width for which a board is laid out. */
const LEAST_PX = 820;

const nothing = () => {};

/** @param {number} ms */
const later = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms);
	});

/** A card as seen by viewers who do not hold it. @param {Words.Piece} piece @returns {Words.Piece} */
const covered = ({ kind, shape, zone, slot, owner, back, on, dock, dockSize, hang, z, rot, span, size }) =>
	/** @type {Words.Piece} */ ({
		...{ kind, shape, zone, slot, owner, back, on, dock, dockSize, hang, z, rot, span, size },
		face: "down",
		label: t("faceDown"),
	});

/** A Scene of open cards, reduced to the cards that one seat sees. @param {Scene} scene @param {number | null | undefined} seat @returns {Scene} */
export function through(scene, seat) {
	if (seat == null) {
		return scene;
	}
	/** @param {Words.Piece} piece */
	const isHidden = ({ owner, face, known, zone = "" }) => {
		const held = scene.zones[zone]?.owner ?? owner;
		return held !== undefined && held !== seat && (face === "peek" || (known && scene.zones[zone]?.owner === held));
	};
	const pieces = Object.entries(scene.pieces).map(([id, piece]) => [id, isHidden(piece) ? covered(piece) : piece]);
	return { ...scene, pieces: Object.fromEntries(pieces) };
}

/** A board in an element. @param {HTMLElement} frame @param {Partial<BoardEvents>} [on] */
function boardIn(frame, on) {
	const made = /** @type {HTMLTemplateElement} */ ($("#board")).content.cloneNode(true);
	frame.append(made);
	const board = new Board($(".stagehost", frame), {
		...{ hover: nothing, focus: nothing, read: nothing, pick: () => false, resized: nothing },
		...on,
	});
	new ResizeObserver(() => fit(frame)).observe(frame);
	return board;
}

/** A board with little room is laid out in a larger one, then scaled down as a whole. @param {HTMLElement} frame */
function fit(frame) {
	const { clientWidth, clientHeight } = frame;
	const scale = Math.min(1, clientWidth / LEAST_PX) || 1;
	const { style } = $(".stagehost", frame);
	Object.assign(style, { width: `${clientWidth / scale}px`, height: `${clientHeight / scale}px`, scale });
}

export class Stage {
	/** @type {Timeline | undefined} */
	time = undefined;
	/** The step that is shown. */
	at = 0;
	/** Whether each new step is shown as it arrives. */
	isLive = true;
	/** The seat whose view is shown. @type {number | null | undefined} */
	eyes = undefined;
	/** @type {readonly Wire.Mark[]} */
	marks = [];
	/** @type {Wire.Inset | undefined} */
	inset = undefined;
	/** Counts requests, so that outdated ones stop. */
	turn = 0;
	/** @type {Board | undefined} */
	small = undefined;

	/** @param {{ pick?: (ref: string | null) => boolean, drawn?: (scene: Scene) => void }} on */
	constructor(on = {}) {
		this.on = on;
		const pick = (/** @type {string | null} */ ref) => on.pick?.(ref) ?? false;
		this.board = boardIn($("#frame"), { pick, resized: () => this.drawMarks() });
		this.frame = $("#inset");
	}

	/** Begins with a Scene, before which there may be steps. @param {Scene} scene @param {Track} [track] */
	begin(scene, track) {
		const { seq = 0 } = scene;
		const before = track?.steps.filter(step => step.seq <= seq) ?? [];
		this.time = new Timeline(track && before.length ? track.scene : scene, before);
		if (before.length) {
			this.time.push({ seq, scene });
		}
		this.at = this.time.length;
		this.draw();
	}

	/** @param {Step[]} steps */
	push(steps) {
		const { time } = this;
		if (!time) {
			return;
		}
		steps.forEach(step => time.push(step));
		if (this.isLive) {
			this.at = time.length;
			this.draw();
		} else {
			this.drawInset();
		}
	}

	/** @returns {Scene | undefined} */
	get scene() {
		return this.time?.at(this.at);
	}

	/** The line that is shown; 0 while each new step is shown as it arrives. */
	get line() {
		return this.isLive ? 0 : (this.scene?.seq ?? 0);
	}

	/** The last event that is shown; for a match that is over, its end. */
	get said() {
		const { prompt } = this.scene ?? {};
		if (prompt?.mode === "over" && prompt.ask) {
			return prompt.ask;
		}
		const told = (this.scene?.log ?? []).filter(line => (line.k ?? "line") === "line" || line.k === "head");
		return plainText(told.at(-1));
	}

	/** Shows a step, or the latest from now on. @param {number} [step] */
	go(step) {
		this.turn++;
		this.stand(step);
	}

	/** @param {number} [step] */
	stand(step) {
		const last = this.time?.length ?? 0;
		this.isLive = step === undefined || step >= last;
		this.at = this.isLive ? last : Math.max(0, step ?? 0);
		this.draw();
	}

	/** Shows a director's choice. @param {Wire.Direction} direction */
	async follow({ line = 0, until = 0, eyes, marks = [], inset }) {
		this.turn++;
		Object.assign(this, { eyes, marks, inset });
		const { time } = this;
		if (!time) {
			return;
		}
		this.stand(line ? time.find(line) : undefined);
		if (until) {
			await this.play(time.find(until));
		}
	}

	/** Plays on to a step, and then shows the latest again. @param {number} last */
	async play(last) {
		const { turn } = this;
		while (this.at < last && turn === this.turn) {
			await later(STEP_MS);
			if (turn === this.turn) {
				this.at += 1;
				this.draw();
			}
		}
		await later(2 * STEP_MS);
		if (turn === this.turn) {
			this.stand();
		}
	}

	draw() {
		const { scene } = this;
		if (scene) {
			this.board.render(through({ ...scene, log: [] }, this.eyes), { instant: !this.isLive || reduced() });
			this.drawMarks();
			this.drawInset();
			this.on.drawn?.(scene);
		}
	}

	/** Arrows and rings between places that this Scene has; others are left out. */
	drawMarks() {
		const { board } = this;
		if (board.scene) {
			board.drawLinks(board.scene);
		}
		for (const { at, to } of this.marks) {
			const r = board.rect(at);
			if (to) {
				board.link({ from: at, to }, "ln-cast");
			} else if (r) {
				const box = { x: r.x - RING_PX, y: r.y - RING_PX, width: r.w + 2 * RING_PX, height: r.h + 2 * RING_PX };
				board.links.append(s("rect", { class: "ln-cast", rx: 12, ...box }));
			}
		}
	}

	drawInset() {
		const { frame, inset, time } = this;
		frame.hidden = !inset || !time;
		if (!inset || !time) {
			return;
		}
		this.small ??= boardIn(frame);
		fit(frame);
		const scene = time.at(inset.line ? time.find(inset.line) : time.length);
		this.small.measure();
		this.small.render(through({ ...scene, log: [] }, inset.eyes), { instant: true });
	}
}

/** The steps of a match up to now, as spectators may read them. @param {string} match @param {string} lang @returns {Promise<Bundle | undefined>} */
export async function earlier(match, lang) {
	const answer = await fetch(`/api/bundle/${encodeURIComponent(match)}?lang=${lang}`);
	return answer.ok ? answer.json() : undefined;
}

/** The options of the list of viewpoints. @param {HTMLSelectElement} select @param {Scene} scene @param {(seat: string, name: string) => HTMLElement} option */
export function nameEyes(select, scene, option) {
	if (select.options.length <= 1) {
		clear(select, option("", t("allHands")));
		for (const [seat, plate] of Object.entries(scene.seats)) {
			select.append(option(seat, plate.name || t("seatN", { n: Number(seat) + 1 })));
		}
	}
}
