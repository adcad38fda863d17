// Cues: decoration derived from events. The patch is the truth; cues may be skipped.
import { addStyle, h, play, reduced } from "./dom.js";
import { glyph } from "./glyph.js";
import { inline } from "./page.js";
import { ROWS } from "./scene.js";
import { t } from "./strings.js";

if (!inline) {
	addStyle({ href: "/css/fx.css" });
}

/** Waits that `skip` ends early. @type {Set<() => void>} */
const waits = new Set();

/** @param {number} ms @returns {Promise<void>} */
const wait = ms =>
	new Promise(resolve => {
		const done = () => {
			clearTimeout(timer);
			waits.delete(done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		waits.add(done);
	});

/** A word that floats up over the table. */
const FLOAT = [
	{ opacity: 0, translate: "0 6px" },
	{ opacity: 1, translate: "0 -6px", offset: 0.18 },
	{ opacity: 1, offset: 0.7 },
	{ opacity: 0, translate: "0 -34px" },
];
const WALK_MS = 300;
const FLASH = [{ opacity: 0 }, { opacity: 0.75, offset: 0.2 }, { opacity: 0 }];
const SHAKE = ["0 0", "-5px 0", "5px 0", "-3px 0", "0 0"].map(translate => ({ translate }));
/** A decision is shown for RESULT_MS, and LINE_MS longer for each further line, unless something is pressed. */
const RESULT_MS = 1500;
const LINE_MS = 500;
/** The most decisions of one step that are shown. */
const MOST = 4;
/** Texts nearer to each other than this, in pixels, are placed above each other. */
const NEAR_X = 120;
const NEAR_Y = 38;
/** Shows pieces that leave the game. */
const DYING = [
	{ opacity: 1 },
	{ opacity: 1, filter: "grayscale(1)", rotate: "-3deg", offset: 0.35 },
	{ opacity: 0, filter: "grayscale(1)", rotate: "7deg", scale: ".7", translate: "0 18px" },
];
const STANDING = [{ opacity: 1 }, { opacity: 1 }];
const BANNER = [
	{ opacity: 0, scale: ".94" },
	{ opacity: 1, scale: "1", offset: 0.15 },
	{ opacity: 1, offset: 0.8 },
	{ opacity: 0 },
];

/** A remark without rows of the rules, with a capital at its beginning. @param {string} text */
const begun = text => text.charAt(0).toUpperCase() + text.slice(1).replace(ROWS, "");

export class Fx {
	/** Where texts float now, in pixels. @type {{ x: number, y: number }[]} */
	floats = [];

	/** @param {import("./board.js").Board} board @param {number} speed */
	constructor(board, speed) {
		this.board = board;
		this.speed = speed;
		board.dying = DYING;
		/** The action for each kind of cue. @type {Record<string, (cue: Words.Cue) => unknown>} */
		this.kinds = {
			arrow: cue => this.arrow(cue),
			hit: cue => this.hit(cue),
			guard: cue => this.text({ ...cue, g: "shield", t: cue.t || t("guarded") }),
			gain: cue => this.text(cue),
			flip: cue => this.scaled(cue, ["1 1", ".02 1.04", "1 1"]),
			roll: cue => this.roll(cue),
			pulse: cue => this.scaled(cue, ["1", "1.07", "1"]),
			walk: cue => this.walk(cue),
		};
	}

	/** @param {number} ms */
	d(ms) {
		return ms / this.speed;
	}

	get running() {
		return this.board.stage.getAnimations({ subtree: true });
	}

	get busy() {
		return waits.size > 0 || this.running.length > 0;
	}

	skip() {
		for (const done of [...waits]) {
			done();
		}
		for (const animation of this.running) {
			animation.finish();
		}
	}

	/** @param {Words.Cue[] | undefined} cues @param {"pre" | "post"} when */
	async run(cues, when) {
		if (!cues || document.hidden || !this.speed) {
			return;
		}
		// viewers who want no motion read the decision too
		const now = cues.filter(cue => (cue.when || "post") === when && (!reduced() || cue.k === "result"));
		/** @param {string} kind */
		const of = kind => now.filter(cue => cue.k === kind);
		const results = of("result");
		await Promise.all([...now.map(cue => this.one(cue)), results.length > 0 && this.result(results.slice(-MOST))]);
		// the next step does not wait for a banner: a first question used to come a second late behind one
		for (const cue of of("banner")) {
			this.banner(cue);
		}
	}

	/** @param {Words.Cue} cue */
	async one(cue) {
		if (cue.at) {
			await wait(this.d(cue.at));
		}
		await this.kinds[cue.k]?.(cue);
	}

	/** Keeps an element in the middle of the part of the board that is seen, also when the board scrolls. @param {HTMLElement} el */
	centre(el) {
		const { root, stage } = this.board;
		const place = () => {
			el.style.top = `${root.scrollTop + root.clientHeight / 2 - stage.offsetTop}px`;
		};
		place();
		const seen = new ResizeObserver(place);
		seen.observe(root);
		root.addEventListener("scroll", place);
		return () => {
			seen.disconnect();
			root.removeEventListener("scroll", place);
		};
	}

	/** An element over the table while it is animated. @param {HTMLElement} el @param {Keyframe[]} frames @param {number} ms */
	async over(el, frames, ms) {
		this.board.fx.append(el);
		await play(el, frames, this.d(ms));
		el.remove();
	}

	/** @param {Words.Cue} cue */
	async arrow({ from = "", to = "", tone, ms = 650 }) {
		const path = this.board.link({ from, to }, `ln-${tone || "ink"}`);
		if (!path) {
			return;
		}
		const length = path.getTotalLength();
		path.style.strokeDasharray = String(length);
		const drawn = [{ strokeDashoffset: length }, { strokeDashoffset: 0 }];
		await play(path, /** @type {Keyframe[]} */ (/** @type {unknown} */ (drawn)), this.d(320), { fill: "both" });
		await wait(this.d(ms - 320));
		path.remove();
	}

	/** @param {Words.Cue} cue */
	async text({ ref = "", t: words, tone, g, lang }) {
		const r = this.board.rect(ref);
		if (!r) {
			return;
		}
		const at = this.free(r.x + r.w / 2, r.y + r.h / 2);
		this.floats.push(at);
		const style = { left: `${at.x}px`, top: `${at.y}px` };
		const toned = tone ? `.tn-${tone}` : "";
		await this.over(h(`span.float${toned}`, { style, lang }, g && glyph(g), words), FLOAT, 1200);
		this.floats.splice(this.floats.indexOf(at), 1);
	}

	/** A place for a text at which no other text floats: above the texts that it would cover. @param {number} x @param {number} y @returns {{ x: number, y: number }} */
	free(x, y) {
		const isTaken = this.floats.some(at => Math.abs(at.x - x) < NEAR_X && Math.abs(at.y - y) < NEAR_Y);
		return isTaken ? this.free(x, y - NEAR_Y) : { x, y };
	}

	/** @param {Words.Cue} cue */
	async hit(cue) {
		const r = this.board.rect(cue.ref);
		const node = this.board.node(cue.ref);
		if (!r || !node) {
			return;
		}
		play(node, SHAKE, this.d(300));
		const style = { left: `${r.x}px`, top: `${r.y}px`, width: `${r.w}px`, height: `${r.h}px` };
		const flash = this.over(h("span.flash", { style }), FLASH, 420);
		await Promise.all([flash, this.text({ ...cue, t: cue.t || `−${cue.n}` })]);
	}

	/** @param {Words.Cue} cue @param {string[]} scales */
	async scaled({ ref }, scales) {
		const node = this.board.node(ref);
		if (node) {
			const frames = scales.map(scale => ({ scale }));
			await play(node, frames, this.d(420), { easing: "ease-in-out" });
		}
	}

	/** @param {Words.Cue} cue */
	async roll({ zone, ms = 620 }) {
		const node = this.board.node(zone);
		if (!node) {
			return;
		}
		node.classList.add("rolling");
		await wait(this.d(ms));
		node.classList.remove("rolling");
	}

	/** Moves a piece from place to place; the patch finds it at the last place. @param {Words.Cue} cue */
	async walk({ ref = "", path = [] }) {
		const { board } = this;
		const from = board.rect(ref);
		const node = board.node(ref);
		const places = path.map(place => board.rect(place));
		if (!from || !node || places.includes(null)) {
			return;
		}
		const frames = [from, .../** @type {Rect[]} */ (places)].map(r => {
			const [x, y] = [r.x + (r.w - from.w) / 2, r.y + (r.h - from.h) / 2];
			return { transform: `translate(${x}px,${y}px)` };
		});
		node.classList.add("lift");
		await play(node, frames, this.d(WALK_MS * places.length), { easing: "ease-in-out" });
		node.classList.remove("lift");
		const { transform } = frames[places.length];
		node.style.transform = transform;
		board.last.set(ref, transform);
	}

	/** The decisions of a step, a line each over the board, until they have been read or something is pressed. @param {Words.Cue[]} cues */
	async result(cues) {
		const { fx } = this.board;
		fx.querySelectorAll(".banner").forEach(earlier => earlier.remove());
		const lines = cues.map(({ t: words = "", sub = "", lang }) =>
			h("div", { lang }, h("b", words.replace(ROWS, "")), sub && [" ", h("span", begun(sub))]),
		);
		const el = h(`div.banner.result.s${cues.at(-1)?.seat ?? 9}`, lines);
		const pressed = () => this.skip();
		const kinds = ["pointerdown", "keydown"];
		kinds.forEach(kind => addEventListener(kind, pressed, true));
		const done = this.centre(el);
		await this.over(el, reduced() ? STANDING : BANNER, RESULT_MS + LINE_MS * (cues.length - 1));
		done();
		kinds.forEach(kind => removeEventListener(kind, pressed, true));
	}

	/** A banner, one at a time. @param {Words.Cue} cue */
	async banner({ t: words, sub, ms = 1500, lang }) {
		this.board.fx.querySelectorAll(".banner").forEach(earlier => earlier.remove());
		const el = h("div.banner", { lang }, words, sub && h("small", sub));
		const done = this.centre(el);
		await this.over(el, BANNER, ms);
		done();
	}
}
