// Cues: decoration derived from events. The patch is the truth; cues may be skipped.
import { h, reduced } from "./dom.js";
import { glyph } from "./glyph.js";
import { t as word } from "./strings.js";

// a wait that `skip` ends early
const waits = new Set();
const wait = ms => new Promise(r => { const done = () => { clearTimeout(id); waits.delete(done); r(); }, id = setTimeout(done, ms); waits.add(done); });

export class Fx {
	constructor(board) { this.board = board; this.speed = 1; }
	d(ms) { return ms / this.speed; }
	get busy() { return waits.size > 0 || this.board.stage.getAnimations({ subtree: true }).length > 0; }
	skip() { for (const done of [...waits]) done(); for (const a of this.board.stage.getAnimations({ subtree: true })) a.finish(); }

	async run(cues, when) {
		if (!cues || reduced() || document.hidden || !this.speed) return;
		await Promise.all(cues.filter(c => (c.when || "post") === when).map(async c => {
			if (c.at) await wait(this.d(c.at));
			await this[c.k]?.(c);
		}));
	}
	spot(ref) { const r = this.board.rect(ref); return r && { x: r.x + r.w / 2, y: r.y + r.h / 2, w: r.w, h: r.h, l: r.x, t: r.y }; }

	async arrow({ from, to, tone, ms = 650 }) {
		const p = this.board.link({ from, to }, "ln-" + (tone || "ink"));
		if (!p) return;
		const len = p.getTotalLength();
		p.style.strokeDasharray = len;
		await p.animate([{ strokeDashoffset: len }, { strokeDashoffset: 0 }], { duration: this.d(320), easing: "ease-out", fill: "both" }).finished.catch(() => {});
		await wait(this.d(ms - 320));
		p.remove();
	}
	async text({ ref, t, tone, g }, up = 34) {
		const s = this.spot(ref); if (!s) return;
		const el = h(`span.float${tone ? ".tn-" + tone : ""}`, { style: { left: s.x + "px", top: s.y + "px" } }, g ? glyph(g) : null, t);
		this.board.fx.append(el);
		await el.animate([{ opacity: 0, translate: "0 6px" }, { opacity: 1, translate: "0 -6px", offset: .18 }, { opacity: 1, offset: .7 }, { opacity: 0, translate: `0 ${-up}px` }], { duration: this.d(1200), easing: "ease-out" }).finished.catch(() => {});
		el.remove();
	}
	gain(c) { return this.text(c); }
	guard(c) { return this.text({ ...c, g: "shield", t: c.t || word("guarded") }); }
	async hit(c) {
		const s = this.spot(c.ref); if (!s) return;
		const fl = h("span.flash", { style: { left: s.l + "px", top: s.t + "px", width: s.w + "px", height: s.h + "px" } });
		this.board.fx.append(fl);
		const n = this.board.node(c.ref);
		n?.animate([{ translate: "0 0" }, { translate: "-5px 0" }, { translate: "5px 0" }, { translate: "-3px 0" }, { translate: "0 0" }], { duration: this.d(300) });
		const a = fl.animate([{ opacity: 0 }, { opacity: .75, offset: .2 }, { opacity: 0 }], { duration: this.d(420) }).finished.catch(() => {});
		await Promise.all([a.then(() => fl.remove()), this.text({ ref: c.ref, t: c.t || `−${c.n}`, tone: c.tone })]);
	}
	async flip({ ref }) {
		await this.board.node(ref)?.animate([{ scale: "1 1" }, { scale: ".02 1.04", offset: .5 }, { scale: "1 1" }], { duration: this.d(420), easing: "ease-in-out" }).finished.catch(() => {});
	}
	async pulse({ ref }) { await this.board.node(ref)?.animate([{ scale: "1" }, { scale: "1.07" }, { scale: "1" }], { duration: this.d(420), easing: "ease-in-out" }).finished.catch(() => {}); }
	async roll({ zone, ms = 620 }) {
		const z = this.board.node(zone); if (!z) return;
		z.classList.add("rolling"); await wait(this.d(ms)); z.classList.remove("rolling");
	}
	async banner({ t, sub, ms = 1100 }) {
		const el = h("div.banner", t, sub ? h("small", sub) : null);
		this.board.fx.append(el);
		await el.animate([{ opacity: 0, scale: ".94" }, { opacity: 1, scale: "1", offset: .15 }, { opacity: 1, offset: .8 }, { opacity: 0 }], { duration: this.d(ms), easing: "ease-out" }).finished.catch(() => {});
		el.remove();
	}
}
