// The bar below the table: play, pause, step, seek, viewpoint; back to live while a match runs.
import { $, h, clear } from "./dom.js";
import { ico } from "./glyph.js";
import { t } from "./strings.js";

export class Replay {
	// api: go(step, animated), view(id), speed(n), link(), skip(); live: whether the match still comes in
	constructor(root, api, { live, speed }) {
		Object.assign(this, { api, speed, i: 0, n: 0, playing: false, marks: [] });
		[this.seek, this.range, this.pos, this.view, this.live, this.playBtn] = [".seek", "input", ".pos", ".view", ".live", ".play"].map(x => $(x, root));
		const acts = { first: () => this.jump(0), prev: () => this.step(-1), play: () => this.toggle(), next: () => this.step(1), last: () => this.jump(this.n), skip: () => api.skip(), link: () => api.link(), branch: () => api.branch() };
		for (const b of root.querySelectorAll("[data-ico]")) b.onclick = acts[b.dataset.ico];
		this.range.oninput = () => { this.stop(); api.go(+this.range.value, false); };
		this.view.onchange = () => api.view(this.view.value);
		this.live.onclick = acts.last;
		this.live.hidden = !live;
		$(".lab", root).hidden = $(".moment", root).hidden = live;
		const spd = $(".spd", root);
		spd.value = speed;
		spd.onchange = () => api.speed((this.speed = +spd.value));
		// not read at every step: that would lay the page out
		new ResizeObserver(([e]) => { this.width = e.contentRect.width; }).observe(this.seek);
	}
	views(list, view) { clear(this.view, list.map(([id, label]) => h("option", { value: id, selected: id === view }, label))); }
	setup(n, marks = []) {
		this.n = this.range.max = n;
		this.marks = marks;
		for (const el of this.seek.querySelectorAll(".tk")) el.remove();
		// names of moments are written where there is room for them
		let free = -1;
		const letter = 6.6 / (this.width || 900);
		for (const [at, label] of marks) {
			// a name stands as far left of its mark as the mark stands right in the bar
			const part = at / Math.max(1, n), long = label.length * letter, named = part * (1 - long) >= free;
			if (named) free = part + (1 - part) * long + 4 * letter;
			this.seek.append(h("span.tk", { style: { "--at": `${100 * part}%`, left: `calc(var(--at) + ${7 - 14 * part}px)` }, title: label }, named && label));
		}
	}
	show(i) {
		this.i = this.range.value = i;
		this.range.style.setProperty("--p", (100 * i) / Math.max(1, this.n) + "%");
		this.range.ariaValueText = t("stepOf", { i, n: this.n });
		this.pos.textContent = `${i} / ${this.n}`;
		const now = this.playing ? "pause" : "play";
		if (this.shown !== now) { clear(this.playBtn, ico((this.shown = now))); this.playBtn.ariaLabel = this.playBtn.title = t(now); }
		this.live.classList.toggle("on", i === this.n);
	}
	toggle() { if (this.playing) this.stop(); else this.play(); }
	stop() { this.playing = false; this.show(this.i); }
	async play() {
		if (this.i >= this.n) await this.api.go(0, false);
		this.playing = true;
		while (this.playing && this.i < this.n) { await this.api.go(this.i + 1, true); await new Promise(r => setTimeout(r, 260 / (this.speed || 8))); }
		this.stop();
	}
	step(d) { this.stop(); const i = Math.max(0, Math.min(this.n, this.i + d)); if (i !== this.i) this.api.go(i, d > 0); }
	jump(i) { this.stop(); this.api.go(i, false); }
	turn(d) { const at = this.marks.map(m => m[0]), to = d > 0 ? at.find(x => x > this.i) : at.findLast(x => x < this.i); this.jump(to ?? (d > 0 ? this.n : 0)); }
}
