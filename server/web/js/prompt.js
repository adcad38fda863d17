// The prompt: whose decision, the question, the options. Five kinds of field cover every decision:
//   one     choose one option; an option may have a path of board refs (source, then target)
//   many    choose min..max items
//   assign  put items on slots, cap per slot (orders to units, results to victims)
//   number  an amount between min and max
//   order   put items in order
// The client never computes legality: it only narrows the list the server sent.
import { $, h, clear, button } from "./dom.js";
import { emblem, glyph } from "./glyph.js";
import { groupBy } from "./geom.js";
import { dieFace } from "./piece.js";
import { t } from "./strings.js";

const words = (o, sub = o.sub) => h("span.ol", h("span.lb", o.label), sub && h("span.sb", sub));
const sign = it => it.die ? dieFace(it.die, ".sm") : it.g && glyph(it.g);

export class Prompt {
	// api: mark(sets, hot), answer(decision, choice), draft(list), extra(prompt)
	constructor(root, api) {
		this.root = root; this.api = api; this.v = {}; this.path = []; this.past = [];
		root.onpointerover = e => this.hover(e.target.closest("[data-o]")?.dataset.o);
		root.addEventListener("focusin", root.onpointerover);
		root.onpointerleave = () => this.hover(null);
	}

	set(prompt, scene) {
		const fresh = prompt?.id !== this.p?.id;
		this.p = prompt; this.scene = scene;
		if (fresh) {
			this.v = {}; this.path = []; this.past = []; this.hot = this.held = null; this.sent = false; this.refusal = "";
			for (const f of this.fields()) if (f.draft) this.v[f.id] = structuredClone(f.draft); else if (f.type === "order") this.v[f.id] = f.items.map(x => x.id); else if (f.type === "number") this.v[f.id] = f.min ?? 0;
		}
		this.draw();
		return fresh;
	}
	fields() { return this.p?.fields || []; }
	mine() { return this.p && this.p.mode === "you" && !this.sent; }

	// --- which refs can be clicked now ---
	cands(f, path = this.path) { return f.options.filter(o => path.every((r, i) => o.at?.[i] === r)); }
	sets() {
		const can = new Set(), sel = new Set(this.path), hint = new Set(), why = new Map();
		const add = (ref, label) => { if (ref) { can.add(ref); why.set(ref, why.has(ref) ? t("several") : label); } };
		if (!this.mine()) return { can, sel, hint, why };
		for (const f of this.fields()) {
			const val = this.v[f.id];
			if (f.type === "one") {
				for (const o of this.cands(f)) if (!o.off) add(o.at?.[this.path.length], o.label);
				for (const r of f.options.find(o => o.id === val)?.at || []) sel.add(r);
			} else if (f.items) {
				for (const it of f.items) { add(it.at, it.label); if (it.at && (this.held === it.id || (f.type !== "assign" && val?.includes(it.id)))) sel.add(it.at); }
				if (this.held) for (const sl of f.slots || []) if (!f.legal || f.legal[this.held]?.includes(sl.id)) add(sl.at, sl.label);
			}
		}
		for (const r of [(this.hot && this.option(this.hot)?.at) || []].flat()) hint.add(r);
		return { can, sel, hint, why };
	}
	option(key) { const [fid, oid] = key.split("|"), f = this.fields().find(x => x.id === fid); return [...(f?.options || []), ...(f?.items || []), ...(f?.slots || [])].find(o => o.id === oid); }
	hover(key) { if ((key || null) !== this.hot) { this.hot = key || null; this.api.mark(this.sets(), this.hot && this.option(this.hot)); } }
	// a piece under the pointer marks the options that use it
	touch(ref) { for (const b of this.root.querySelectorAll("[data-o]")) b.classList.toggle("hint", !!ref && [].concat(this.option(b.dataset.o)?.at || []).includes(ref)); }

	// --- answers; every change of the draft can be taken back until it is sent ---
	keep() { this.past.push(JSON.stringify(this.v)); this.refusal = ""; }
	undo() { if (!this.mine() || !this.past.length) return false; this.v = JSON.parse(this.past.pop()); this.held = null; this.path = []; this.refresh(); return true; }
	refused(why) { this.sent = false; this.refusal = why; this.refresh(); }
	pick(ref) { return !!this.mine() && this.fields().some(f => (f.type === "one" ? this.pickOption(f, ref) : f.items && this.pickItem(f, ref))); }
	pickOption(f, ref) {
		for (const path of [[...this.path, ref], [ref]]) { // further on the way begun, or a new way
			const found = this.cands(f, path).filter(o => !o.off);
			if (!found.length) continue;
			if (found.length === 1 && found[0].at.length === path.length) this.choose(f, found[0].id); else { this.path = path; this.refresh(); }
			return true;
		}
		return false;
	}
	pickItem(f, ref) {
		const it = f.items.find(x => x.at === ref), sl = f.slots?.find(x => x.at === ref), given = this.v[f.id] || {};
		if (f.type !== "assign") { if (it) this.toggle(f, it.id); return !!it; }
		if (this.held && sl) this.give(f, sl.id, this.held);
		else if (it && !sl) { if (given[it.id]) this.take(f, it.id); else this.hold(it.id); } else {
			const on = sl && Object.keys(given).findLast(k => given[k] === sl.id);
			if (!on) return false;
			this.take(f, on);
		}
		return true;
	}
	choose(f, id) {
		const o = f.options.find(x => x.id === id);
		if (o.off) return this.refused(o.off);
		if (o.file) return this.open(o.file);
		this.keep();
		this.v[f.id] = id; this.path = [];
		if (this.simple() && !o.confirm) this.send(); else this.refresh();
	}
	// an option that is answered with a file: its JSON is sent as one field of a choice
	open(as) {
		const asked = this.p.id, input = h("input", { type: "file", accept: ".json,application/json" });
		input.addEventListener("change", async () => {
			let found;
			try { found = JSON.parse(await input.files[0].text()); } catch { return this.refused(t("noJson")); }
			if (asked !== this.p?.id || !this.mine()) return;
			this.sent = true; this.refusal = "";
			this.api.answer(asked, { do: as.do, [as.as]: found });
			this.refresh();
		});
		input.click();
	}
	simple() { return this.fields().length === 1 && this.fields()[0].type === "one" && !this.p.confirm; }
	asks() { return !this.simple() || this.fields()[0].options.some(o => o.confirm && o.id === this.v[this.fields()[0].id]); }
	hold(id) { this.held = this.held === id ? null : id; this.to = this.held && ".slotrow:not(.on)"; this.refresh(); }
	take(f, id) { this.keep(); this.held = id; delete this.v[f.id][id]; this.refresh(); }
	toggle(f, id) {
		this.keep();
		const a = (this.v[f.id] ||= []), i = a.indexOf(id);
		if (i >= 0) a.splice(i, 1); else if (a.length < (f.max ?? Infinity)) a.push(id); else if (f.max === 1) a.splice(0, 1, id);
		this.refresh();
	}
	give(f, slot, item) {
		this.keep();
		const a = (this.v[f.id] ||= {}), cap = f.slots.find(x => x.id === slot).cap ?? 1, there = Object.keys(a).filter(k => a[k] === slot);
		if (there.length >= cap) { const out = there[0]; if (a[item]) a[out] = a[item]; else delete a[out]; } // full: they change places
		a[item] = slot; this.held = null; this.to = ".chip"; this.refresh();
	}
	back() { if (this.held) this.held = null; else if (this.path.length) this.path.pop(); else return false; this.refresh(); return true; }
	// how many items an assignment still lacks
	lacks(f) { const a = this.v[f.id] || {}; return f.fill === "slots" ? f.slots.length - new Set(Object.values(a)).size : (f.min ?? f.items.length) - Object.keys(a).length; }
	ready() { return this.fields().every(f => ({ one: () => this.v[f.id] != null || f.optional, many: () => (this.v[f.id]?.length || 0) >= (f.min || 0), assign: () => this.lacks(f) <= 0 }[f.type] || (() => true))()); }
	send() {
		if (!this.mine() || !this.ready()) return;
		this.sent = true; this.refusal = ""; this.path = []; this.held = null;
		const fs = this.fields(), only = fs.length === 1 && fs[0];
		this.api.answer(this.p.id, structuredClone(only ? this.v[only.id] ?? (only.type === "many" ? [] : {}) : this.v));
		this.refresh();
	}
	refresh() { this.draw(); this.api.mark(this.sets()); this.api.draft(this.drafts()); }
	// an assignment as it would lie on the board
	drafts() {
		return this.fields().filter(f => f.type === "assign").flatMap(f => Object.entries(this.v[f.id] || {}).map(([it, sl]) => ({ item: f.items.find(x => x.id === it)?.at, slot: f.slots.find(x => x.id === sl)?.at, dock: f.dock })));
	}
	key(e) {
		if (!this.mine()) return false;
		if (e.key === "Escape") return this.back();
		if (e.key === "Backspace" || (e.key === "z" && e.ctrlKey)) return this.undo();
		if (e.key === "Enter" && (e.ctrlKey || !e.target.closest?.("a,button"))) { const yes = this.ready(); this.send(); return yes; }
		if (e.ctrlKey) return false;
		const btn = [...this.root.querySelectorAll(".opt")].find(b => ($("kbd", b) || b).textContent === e.key);
		btn?.click();
		return !!btn;
	}

	// --- drawing ---
	draw() {
		const p = this.p;
		const on = document.activeElement, r = this.root, had = r.contains(on), seen = had && on.matches(":focus-visible"), key = had && on.dataset.o, add = (...kids) => r.append(...kids.filter(Boolean));
		if (!p) { r.className = "panel prompt idle"; return void clear(r, h("p.quiet", t("noDecision"))); }
		const seat = this.scene.seats?.[p.seat], who = { you: "yours", wait: "decides", over: "over", past: "past" }[p.mode] || "waiting";
		r.className = `panel prompt s${p.seat ?? 9} m-${p.mode}`;
		clear(r, h("header", seat && emblem(seat.charge, p.seat, { cls: "mini" }), h("span.who", t(who, { name: seat?.name })), p.phase && h("span.ph", p.phase), p.left && h("span.left", glyph("hourglass"), p.left)),
			h("h2.ask", { id: "ask", tabindex: "-1" }, p.ask), p.why && h("p.why", p.why), this.refusal && h("p.refused", { role: "alert" }, this.refusal));
		if (this.sent) { add(h("p.sent", t("sent"))); if (had) $("#ask", r).focus(); return; }
		add(this.api.extra(p));
		if (p.mode === "past") return;
		this.n = 0;
		for (const f of this.fields()) add(h("div.field.f-" + f.type, { role: "group", "aria-label": f.label || p.ask }, f.label && h("h3", f.label, f.note && h("em", f.note)), this[f.type + "Field"](f)));
		const lacks = this.fields().map(f => (f.type === "assign" ? this.lacks(f) : 0)).find(n => n > 0), hint = lacks ? t("toPlace", { n: lacks }) : p.hint;
		if (p.mode === "you" && this.asks()) add(h("footer", button(".go", { disabled: !this.ready(), onclick: () => this.send() }, typeof p.confirm === "string" ? p.confirm : t("confirm")),
			this.past.length > 0 && button(".ghost", { onclick: () => this.undo() }, t("undo")), hint && h("span.quiet", hint)));
		else add(p.hint && h("p.quiet.foot", p.hint));
		// drawing makes new buttons: the keyboard goes on to what comes next, stays on the one it was on, or goes to the question
		const to = seen && this.to && $(this.to, r);
		this.to = "";
		if (had) (to || r.querySelector(key ? `[data-o="${CSS.escape(key)}"]` : "footer .go:enabled") || $("#ask", r)).focus({ preventScroll: true });
	}
	number() { return ++this.n <= 9 ? h("kbd", String(this.n)) : h("kbd.no"); }
	oneField(f) {
		const chips = f.look === "chips", groups = groupBy(this.cands(f), o => o.grp ?? "");
		const option = o => button(`.opt${this.v[f.id] === o.id ? ".on" : ""}${o.tone ? ".o-" + o.tone : ""}`, {
			"data-o": `${f.id}|${o.id}`, "data-file": o.file ? "" : null, "aria-disabled": o.off && "true", title: o.off || o.tip, "aria-pressed": this.p.confirm ? this.v[f.id] === o.id : null, onclick: () => this.choose(f, o.id) },
		!chips && (o.key ? h("kbd", o.key) : this.number()), sign(o), words(o, o.off || o.sub),
		o.dice ? h("span.od", o.dice.map(d => h("span.dn", dieFace({ t: d.t, g: d.g }, ".sm"), d.n > 1 && "×" + d.n))) : o.end && h("span.oe", o.end));
		return [this.path.length > 0 && button(".crumb", { onclick: () => this.back() }, "‹ ", this.name(this.path.at(-1))),
			[...groups].map(([g, os]) => [g && h(f.label ? "h4" : "h3.grp", g), h(`div.opts${chips ? ".chips" : ""}`, os.map(option))])];
	}
	manyField(f) {
		const a = this.v[f.id] || [];
		return [h("div.opts", f.items.map(it => button(`.opt.chk${a.includes(it.id) ? ".on" : ""}`, { role: "checkbox", "aria-checked": a.includes(it.id), "data-o": `${f.id}|${it.id}`, onclick: () => this.toggle(f, it.id) },
			this.number(), sign(it), words(it), f.ordered && a.includes(it.id) && h("span.oe", `${a.indexOf(it.id) + 1}.`)))),
		h("p.count", t(f.ordered ? "chosenInOrder" : "chosen", { a: a.length, of: f.min === f.max ? f.max : `${f.min || 0}–${f.max ?? f.items.length}` }))];
	}
	assignField(f) {
		const a = this.v[f.id] || {}, free = f.items.filter(x => !a[x.id]);
		const slot = sl => {
			const its = f.items.filter(x => a[x.id] === sl.id);
			return button(`.opt.slotrow${its.length ? ".on" : ""}`, { "data-o": `${f.id}|${sl.id}`, onclick: () => { if (this.held) this.give(f, sl.id, this.held); else if (its.length) this.take(f, its.at(-1).id); } },
				words(sl), h(`span.got${its.length ? "" : ".none"}`, its.length ? its.map(it => [sign(it), its.length === 1 && !it.die && it.label]) : "—"));
		};
		return [h("div.pool", free.map(it => button(`.chip${this.held === it.id ? ".on" : ""}`, { "data-o": `${f.id}|${it.id}`, "aria-pressed": this.held === it.id, onclick: () => this.hold(it.id) }, sign(it), it.label)), !free.length && h("span.quiet", t("allPlaced"))),
			h(`div.opts${f.slots.length > 4 ? ".dense" : ""}`, f.slots.map(slot))];
	}
	numberField(f) {
		const step = d => { this.keep(); this.v[f.id] = Math.max(f.min ?? 0, Math.min(f.max, this.v[f.id] + d)); this.refresh(); };
		return h("div.num", button("", { "aria-label": t("less"), onclick: () => step(-1) }, "−"), h("output", this.v[f.id]), button("", { "aria-label": t("more"), onclick: () => step(1) }, "+"), f.unit && h("span.quiet", f.unit));
	}
	orderField(f) {
		const a = this.v[f.id] || [], up = i => { if (i) { this.keep(); [a[i - 1], a[i]] = [a[i], a[i - 1]]; this.refresh(); } };
		return h("ol.ord", a.map((id, i) => h("li", h("span", f.items.find(x => x.id === id).label), button("", { "aria-label": t("earlier"), onclick: () => up(i) }, "↑"))));
	}
	name(ref) { const [zone, key] = ref.split("#"), z = this.scene.zones[zone]; return this.scene.pieces[ref]?.title || z?.slots?.[key]?.label || z?.geom?.areas?.[key]?.label || t("back"); }
}
