// The bar below the table: play, pause, step, seek, viewpoint; back to live while a match runs.
import { h, clear, button } from "./dom.js";
import { glyph, ico } from "./glyph.js";
import { t } from "./strings.js";

export const SPEEDS = [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"], ["0", "»"]];

export class Replay {
	// api: go(step, animated), view(id), speed(n), link(); live: whether the match still comes in
	constructor(root, api, { live, speed }) {
		this.root = root; this.api = api; this.i = 0; this.n = 0; this.playing = false; this.speed = speed; this.marks = [];
		const b = (name, label, fn, cls = "") => button(`.b${cls}`, { "aria-label": label, title: label, onclick: fn }, ico(name));
		this.playBtn = button(".b.play", { onclick: () => this.toggle() });
		this.range = h("input", { type: "range", min: 0, step: 1, "aria-label": t("step"), oninput: e => { this.stop(); this.api.go(+e.target.value, false); } });
		this.seek = h("div.seek", this.range);
		this.pos = h("span.pos");
		this.view = h("select", { "aria-label": t("viewpoint"), onchange: e => this.api.view(e.target.value) });
		this.spd = h("select.spd", { "aria-label": t("speed"), onchange: e => { this.speed = +e.target.value; this.api.speed(this.speed); } },
			SPEEDS.map(([v, sign]) => h("option", { value: v, selected: +v === speed, "aria-label": v === "0" ? t("noAnimation") : null }, sign)));
		this.live = live && button(".live", { onclick: () => this.jump(this.n) }, t("live"));
		root.append(h("div.ctl", b("first", t("firstStep"), () => this.jump(0), ".ends"), b("prev", t("stepBack"), () => this.step(-1)), this.playBtn, b("next", t("stepForward"), () => this.step(1)), b("last", t("lastStep"), () => this.jump(this.n), ".ends")),
			this.seek, this.pos, b("skip", t("skip"), () => this.api.skip(), ".skipper"), this.spd,
			...(live ? [this.live] : [h("span.lab", glyph("eyeball"), t("viewAs")), this.view, b("link", t("copyMoment"), () => this.api.link(), ".moment")]));
	}
	views(list, view) { clear(this.view).append(...list.map(([id, label]) => h("option", { value: id, selected: id === view }, label))); }
	setup(n, marks = []) {
		this.n = n; this.range.max = n; this.marks = marks;
		for (const el of this.seek.querySelectorAll(".tk")) el.remove();
		let free = -1; // names of moments are written where there is room for them
		const letter = 6.6 / (this.seek.clientWidth || 900);
		for (const [at, label] of marks) {
			const part = at / Math.max(1, n);
			const named = part >= free && part < .93;
			if (named) free = part + (label.length + 4) * letter;
			this.seek.append(h("span.tk", { style: { left: `calc(${100 * part}% + ${7 - 14 * part}px)` }, title: label }, named ? label : ""));
		}
	}
	show(i) {
		this.i = i; this.range.value = i; this.range.style.setProperty("--p", (100 * i) / Math.max(1, this.n) + "%");
		this.range.setAttribute("aria-valuetext", t("stepOf", { i, n: this.n }));
		this.pos.textContent = `${i} / ${this.n}`;
		clear(this.playBtn).append(ico(this.playing ? "pause" : "play"));
		this.playBtn.setAttribute("aria-label", this.playBtn.title = t(this.playing ? "pause" : "play"));
		if (this.live) this.live.classList.toggle("on", i === this.n);
	}
	toggle() { if (this.playing) this.stop(); else this.play(); }
	stop() { this.playing = false; this.show(this.i); }
	async play() {
		if (this.i >= this.n) await this.api.go(0, false);
		this.playing = true; this.show(this.i);
		while (this.playing && this.i < this.n) { await this.api.go(this.i + 1, true); await new Promise(r => setTimeout(r, 260 / (this.speed || 8))); }
		this.playing = false; this.show(this.i);
	}
	step(d) { this.stop(); const i = Math.max(0, Math.min(this.n, this.i + d)); if (i !== this.i) this.api.go(i, d > 0); }
	jump(i) { this.stop(); this.api.go(i, false); }
	turn(d) { const at = this.marks.map(m => m[0]), to = d > 0 ? at.find(x => x > this.i) : at.findLast(x => x < this.i); this.jump(to ?? (d > 0 ? this.n : 0)); }
}
