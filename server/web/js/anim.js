// Cues: decoration derived from events. The patch is the truth; cues may be skipped.
import { h, play, reduced } from "./dom.js";
import { glyph } from "./glyph.js";
import { t as word } from "./strings.js";

// a wait that `skip` ends early
const waits = new Set();
const wait = ms => new Promise(r => { const done = () => { clearTimeout(id); waits.delete(done); r(); }, id = setTimeout(done, ms); waits.add(done); });

export class Fx {
	constructor(board) { this.board = board; this.speed = 1; }
	d(ms) { return ms / this.speed; }
	get running() { return this.board.stage.getAnimations({ subtree: true }); }
	get busy() { return waits.size > 0 || this.running.length > 0; }
	skip() { for (const done of [...waits]) done(); for (const a of this.running) a.finish(); }

	async run(cues, when) {
		if (!cues || reduced() || document.hidden || !this.speed) return;
		await Promise.all(cues.filter(c => (c.when || "post") === when).map(async c => {
			if (c.at) await wait(this.d(c.at));
			await this[c.k]?.(c);
		}));
	}
	// something that is over the table while it is animated
	async over(el, frames, ms) {
		this.board.fx.append(el);
		await play(el, frames, this.d(ms));
		el.remove();
	}
	async arrow({ from, to, tone, ms = 650 }) {
		const p = this.board.link({ from, to }, "ln-" + (tone || "ink"));
		if (!p) return;
		const len = (p.style.strokeDasharray = p.getTotalLength());
		await play(p, [{ strokeDashoffset: len }, { strokeDashoffset: 0 }], this.d(320), { fill: "both" });
		await wait(this.d(ms - 320));
		p.remove();
	}
	async text({ ref, t, tone, g }) {
		const r = this.board.rect(ref);
		if (r) await this.over(h(`span.float${tone ? ".tn-" + tone : ""}`, { style: { left: r.x + r.w / 2 + "px", top: r.y + r.h / 2 + "px" } }, g && glyph(g), t),
			[{ opacity: 0, translate: "0 6px" }, { opacity: 1, translate: "0 -6px", offset: .18 }, { opacity: 1, offset: .7 }, { opacity: 0, translate: "0 -34px" }], 1200);
	}
	gain(c) { return this.text(c); }
	guard(c) { return this.text({ ...c, g: "shield", t: c.t || word("guarded") }); }
	async hit(c) {
		const r = this.board.rect(c.ref), n = this.board.node(c.ref);
		if (!r || !n) return;
		play(n, ["0 0", "-5px 0", "5px 0", "-3px 0", "0 0"].map(translate => ({ translate })), this.d(300));
		await Promise.all([this.over(h("span.flash", { style: { left: r.x + "px", top: r.y + "px", width: r.w + "px", height: r.h + "px" } }), [{ opacity: 0 }, { opacity: .75, offset: .2 }, { opacity: 0 }], 420),
			this.text({ ...c, t: c.t || `−${c.n}` })]);
	}
	async scaled(ref, scales) { const n = this.board.node(ref); if (n) await play(n, scales.map(scale => ({ scale })), this.d(420), { easing: "ease-in-out" }); }
	flip({ ref }) { return this.scaled(ref, ["1 1", ".02 1.04", "1 1"]); }
	pulse({ ref }) { return this.scaled(ref, ["1", "1.07", "1"]); }
	async roll({ zone, ms = 620 }) {
		const z = this.board.node(zone);
		if (!z) return;
		z.classList.add("rolling"); await wait(this.d(ms)); z.classList.remove("rolling");
	}
	banner({ t, sub, ms = 1100 }) {
		return this.over(h("div.banner", t, sub && h("small", sub)), [{ opacity: 0, scale: ".94" }, { opacity: 1, scale: "1", offset: .15 }, { opacity: 1, offset: .8 }, { opacity: 0 }], ms);
	}
}
