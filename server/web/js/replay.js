// The bar below the table: play, pause, step, seek, viewpoint; back to live while a match runs.
import { $, h, clear, inputAt } from "./dom.js";
import { ico } from "./glyph.js";
import { t } from "./strings.js";

/** How long a step is shown before the next one, at speed 1. */
const STEP_MS = 260;
/** The speed of the pause between steps if nothing is animated. */
const UNANIMATED = 8;
/** Widths in pixels: of a letter of a mark's name, and of the bar before it is measured. */
const LETTER_PX = 6.6;
const BAR_PX = 900;

/**
 * The bar's calls to its page.
 * @typedef {object} ReplayApi
 * @property {(step: number, animated: boolean) => unknown} go
 * @property {(id: string) => void} view
 * @property {(n: number) => void} speed
 * @property {() => void} link
 * @property {() => void} skip
 * @property {() => void} earlier goes to the steps before the first one
 * @property {() => void} branch
 * @property {() => boolean} going whether more may still come in
 */

export class Replay {
	i = 0;
	n = 0;
	playing = false;
	/** @type {[number, string][]} */
	marks = [];
	/** Width of the bar in pixels; not read at every step, because the browser would have to lay out the page each time. */
	width = 0;
	/** The sign of the button for playing. */
	shown = "";

	/** @param {HTMLElement} root @param {ReplayApi} api @param {{ live: boolean, speed: number }} how whether the match still comes in */
	constructor(root, api, { live, speed }) {
		this.api = api;
		this.speed = speed;
		this.seek = $(".seek", root);
		this.range = inputAt("input", root);
		this.pos = $(".pos", root);
		this.view = inputAt(".view", root);
		this.live = $(".live", root);
		this.playBtn = $(".play", root);
		this.hearButtons(root, live);
		this.hearFields(root);
		new ResizeObserver(([entry]) => {
			this.width = entry.contentRect.width;
		}).observe(this.seek);
	}

	/** @param {HTMLElement} root @param {boolean} live */
	hearButtons(root, live) {
		const last = () => this.jump(this.n);
		/** @type {Record<string, () => unknown>} */
		const acts = {
			first: () => this.jump(0),
			prev: () => this.step(-1),
			play: () => this.toggle(),
			next: () => this.step(1),
			last,
			skip: () => this.api.skip(),
			link: () => this.api.link(),
			branch: () => this.api.branch(),
		};
		for (const b of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-ico]"))) {
			b.onclick = acts[b.dataset.ico ?? ""];
		}
		this.live.onclick = last;
		this.live.hidden = !live;
		$(".lab", root).hidden = live;
		$(".moment", root).hidden = live;
	}

	/** @param {HTMLElement} root */
	hearFields(root) {
		this.range.oninput = () => {
			this.jump(Number(this.range.value));
		};
		this.view.onchange = () => this.api.view(this.view.value);
		const speed = inputAt(".spd", root);
		speed.value = String(this.speed);
		speed.onchange = () => {
			this.speed = Number(speed.value);
			this.api.speed(this.speed);
		};
	}

	/** @param {[string, string][]} list viewpoints and the names of those who have them @param {string} view */
	views(list, view) {
		/** @param {string} id */
		const unnamed = id => (id === "pub" ? t("fromOutside") : t("seatN", { n: Number(id.slice(1)) + 1 }));
		const options = list.map(([id, label]) => h("option", { value: id, selected: id === view }, label || unnamed(id)));
		clear(this.view, options);
	}

	/** @param {number} n @param {[number, string][]} marks */
	setup(n, marks = []) {
		this.n = n;
		this.range.max = String(n);
		this.marks = marks;
		for (const el of this.seek.querySelectorAll(".tk")) {
			el.remove();
		}
		// names of moments are written if there is room for them
		let free = -1;
		const letter = LETTER_PX / (this.width || BAR_PX);
		for (const [at, label] of marks) {
			// a name stands as far left of its mark as the mark stands right in the bar
			const part = at / Math.max(1, n);
			const long = label.length * letter;
			const named = part * (1 - long) >= free;
			if (named) {
				free = part + (1 - part) * long + 4 * letter;
			}
			const style = { "--at": `${100 * part}%`, left: `calc(var(--at) + ${7 - 14 * part}px)` };
			this.seek.append(h("span.tk", { style, title: label }, named && label));
		}
	}

	/** @param {number} i */
	show(i) {
		this.i = i;
		this.range.value = String(i);
		this.range.style.setProperty("--p", `${(100 * i) / Math.max(1, this.n)}%`);
		this.range.ariaValueText = t("stepOf", { i, n: this.n });
		// steps from before the page was loaded are not counted yet
		this.pos.textContent = this.n ? `${i} / ${this.n}` : "…";
		const now = this.playing ? "pause" : "play";
		if (this.shown !== now) {
			this.shown = now;
			clear(this.playBtn, ico(now));
			this.playBtn.title = t(now);
			this.playBtn.ariaLabel = this.playBtn.title;
		}
		this.live.classList.toggle("on", i === this.n && this.api.going());
	}

	toggle() {
		if (this.playing) {
			this.stop();
		} else {
			this.play();
		}
	}

	stop() {
		this.playing = false;
		this.show(this.i);
	}

	async play() {
		if (this.i >= this.n) {
			await this.api.go(0, false);
		}
		this.playing = true;
		while (this.playing && this.i < this.n) {
			await this.api.go(this.i + 1, true);
			const ms = STEP_MS / (this.speed || UNANIMATED);
			await new Promise(resolve => {
				setTimeout(resolve, ms);
			});
		}
		this.stop();
	}

	/** @param {number} d */
	step(d) {
		this.stop();
		const i = Math.max(0, Math.min(this.n, this.i + d));
		if (i !== this.i) {
			this.api.go(i, d > 0);
		} else if (d < 0) {
			this.api.earlier();
		}
	}

	/** @param {number} i */
	jump(i) {
		this.stop();
		if (!i && !this.i) {
			this.api.earlier();
		}
		this.api.go(i, false);
	}

	/** Goes to the next moment with a name, or to the previous one. @param {number} d */
	turn(d) {
		const at = this.marks.map(mark => mark[0]);
		const to = d > 0 ? at.find(x => x > this.i) : at.findLast(x => x < this.i);
		this.jump(to ?? (d > 0 ? this.n : 0));
	}
}
