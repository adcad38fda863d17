// The prompt: whose decision, the question, the options. Five field types cover every decision:
//   one     choose one option; an option may have a path of board refs (source, then target)
//   many    choose min..max items
//   assign  put items on slots, cap per slot (orders to units, results to victims)
//   number  an amount between min and max
//   order   put items in order
// The client never computes legality: it only narrows the list the server sent.
import { h, clear } from "./dom.js";
import { emblem, glyph } from "./glyph.js";
import { dieFace } from "./piece.js";
import { t } from "./strings.js";

export class Prompt {
  constructor(root, api) {
    this.root = root; this.api = api; this.v = {}; this.path = []; this.past = [];
    root.addEventListener("pointerover", e => this.hover(e.target.closest?.("[data-o]")?.dataset.o));
    root.addEventListener("pointerleave", () => this.hover(null));
    root.addEventListener("focusin", e => this.hover(e.target.closest?.("[data-o]")?.dataset.o));
  }

  set(prompt, scene) {
    const fresh = prompt?.id !== this.p?.id;
    this.p = prompt; this.scene = scene;
    if (fresh) {
      this.v = {}; this.path = []; this.past = []; this.hot = this.held = null; this.sent = false; this.refusal = "";
      for (const f of this.fields()) if (f.draft) this.v[f.id] = structuredClone(f.draft); else if (f.type === "order") this.v[f.id] = f.items.map(x => x.id);
    }
    this.draw();
    return fresh;
  }
  fields() { return this.p?.fields || []; }
  mine() { return this.p && this.p.mode === "you" && !this.sent; }

  // --- which refs are clickable now ---
  cands(f) { return f.options.filter(o => this.path.every((r, i) => o.at?.[i] === r)); }
  sets() {
    const can = new Set(), sel = new Set(), hint = new Set(), why = new Map();
    if (!this.mine()) return { can, sel, hint, why };
    for (const f of this.fields()) {
      if (f.type === "one") {
        const val = this.v[f.id], c = this.cands(f);
        for (const o of c) { const r = o.at?.[this.path.length]; if (r && !o.off) { can.add(r); why.set(r, why.has(r) ? t("several") : o.label); } }
        if (val) for (const r of f.options.find(o => o.id === val)?.at || []) sel.add(r);
      } else if (f.type === "many" || f.type === "order") {
        for (const it of f.items) if (it.at) { can.add(it.at); why.set(it.at, it.label); if ((this.v[f.id] || []).includes(it.id)) sel.add(it.at); }
      } else if (f.type === "assign") {
        for (const it of f.items) if (it.at) { can.add(it.at); why.set(it.at, it.label); if (this.held === it.id) sel.add(it.at); }
        if (this.held) for (const sl of f.slots) if (sl.at && (!f.legal || f.legal[this.held]?.includes(sl.id))) { can.add(sl.at); why.set(sl.at, sl.label); }
      }
    }
    for (const r of this.path) { sel.add(r); }
    const o = this.hot && this.option(this.hot);
    if (o?.at) [].concat(o.at).forEach(r => hint.add(r));
    return { can, sel, hint, why };
  }
  option(key) { const [fid, oid] = key.split("|"); const f = this.fields().find(x => x.id === fid); return (f?.options || f?.items || f?.slots || []).find(o => o.id === oid); }
  hover(key) { if (key === this.hot) return; this.hot = key || null; this.api.mark(this.sets(), this.hot && this.option(this.hot)); }
  // hovering a piece marks the options that use it
  touch(ref) { for (const b of this.root.querySelectorAll("[data-o]")) { const at = this.option(b.dataset.o)?.at; b.classList.toggle("hint", !!ref && [].concat(at || []).includes(ref)); } }

  // --- answers; every change of the draft can be taken back until it is sent ---
  keep() { this.past.push(JSON.stringify(this.v)); this.refusal = ""; }
  undo() { if (!this.mine() || !this.past.length) return false; this.v = JSON.parse(this.past.pop()); this.held = null; this.path = []; this.refresh(); return true; }
  refused(why) { this.sent = false; this.refusal = why; this.refresh(); }
  pick(ref) {
    if (!this.mine()) return false;
    for (const f of this.fields()) {
      if (f.type === "one") {
        let c = this.cands(f).filter(o => !o.off && o.at?.[this.path.length] === ref);
        if (!c.length && this.path.length) { c = f.options.filter(o => !o.off && o.at?.[0] === ref); if (c.length) this.path = []; }
        if (!c.length) continue;
        const done = c.filter(o => o.at.length === this.path.length + 1);
        if (done.length === 1 && c.length === 1) return this.choose(f, done[0].id), true;
        this.path = [...this.path, ref]; this.refresh(); return true;
      }
      if (f.type === "many" || f.type === "order") { const it = f.items.find(x => x.at === ref); if (it) return this.toggle(f, it.id), true; }
      if (f.type === "assign") {
        const sl = f.slots.find(x => x.at === ref), it = f.items.find(x => x.at === ref);
        if (this.held && sl) return this.give(f, sl.id, this.held), true;
        if (it && !sl) { if (this.v[f.id]?.[it.id]) this.take(f, it.id); else this.hold(it.id); return true; }
        const on = sl && Object.keys(this.v[f.id] || {}).filter(k => this.v[f.id][k] === sl.id).at(-1);
        if (on) { this.take(f, on); return true; }
      }
    }
    return false;
  }
  choose(f, id) {
    const o = f.options.find(x => x.id === id);
    if (o.off) { this.refusal = o.off; this.refresh(); return; }
    this.keep();
    this.v[f.id] = id; this.path = [];
    if (this.simple() && !o.confirm) this.send(); else this.refresh();
  }
  simple() { return this.fields().length === 1 && this.fields()[0].type === "one" && !this.p.confirm; }
  asks() { return !this.simple() || this.fields()[0].options.some(o => o.confirm && o.id === this.v[this.fields()[0].id]); }
  hold(id) { this.held = this.held === id ? null : id; this.refresh(); }
  take(f, id) { this.keep(); this.held = id; delete this.v[f.id][id]; this.refresh(); }
  toggle(f, id) {
    this.keep();
    const a = (this.v[f.id] ||= []), i = a.indexOf(id);
    if (i >= 0) a.splice(i, 1); else if (a.length < (f.max ?? Infinity)) a.push(id); else if (f.max === 1) a.splice(0, 1, id);
    this.refresh();
  }
  give(f, slot, item) {
    this.keep();
    const a = (this.v[f.id] ||= {}), cap = f.slots.find(x => x.id === slot).cap ?? 1, here = Object.keys(a).filter(k => a[k] === slot);
    if (here.length >= cap) { const out = here[0]; if (a[item]) a[out] = a[item]; else delete a[out]; }   // full: swap
    a[item] = slot; this.held = null; this.refresh();
  }
  back() { if (this.held) this.held = null; else if (this.path.length) this.path.pop(); else return false; this.refresh(); return true; }
  ready() {
    return this.fields().every(f => f.type === "one" ? this.v[f.id] || f.optional : f.type === "many" ? (this.v[f.id]?.length || 0) >= (f.min || 0)
      : f.type === "assign" ? (f.fill === "slots" ? new Set(Object.values(this.v[f.id] || {})).size === f.slots.length : Object.keys(this.v[f.id] || {}).length >= (f.min ?? f.items.length)) : f.type === "order" ? (this.v[f.id]?.length || 0) === f.items.length : true);
  }
  left() {
    for (const f of this.fields()) if (f.type === "assign") { const n = f.fill === "slots" ? f.slots.length - new Set(Object.values(this.v[f.id] || {})).size : (f.min ?? f.items.length) - Object.keys(this.v[f.id] || {}).length; if (n > 0) return t("toPlace", { n }); }
    return "";
  }
  send() {
    if (!this.mine() || !this.ready()) return;
    this.sent = true; this.refusal = ""; this.path = []; this.held = null;
    const fs = this.fields();
    this.api.answer(this.p.id, structuredClone(fs.length === 1 ? this.v[fs[0].id] ?? null : this.v));
    this.refresh();
  }
  refresh() { this.draw(); this.api.mark(this.sets()); this.api.draft?.(this.drafts()); }
  // local preview of an assignment: items shown docked at their slots before anything is sent
  drafts() { const out = []; for (const f of this.fields()) if (f.type === "assign") for (const [it, sl] of Object.entries(this.v[f.id] || {})) out.push({ item: f.items.find(x => x.id === it)?.at, slot: f.slots.find(x => x.id === sl)?.at, dock: f.dock }); return out; }

  key(e) {
    if (!this.mine()) return false;
    if (e.key === "Escape") return this.back();
    if (e.key === "Backspace" || (e.key === "z" && e.ctrlKey)) return this.undo();
    if (e.ctrlKey && e.key !== "Enter") return false;
    if (e.key === "Enter" && (e.ctrlKey || e.target === document.body)) { if (this.ready()) { this.send(); return true; } return false; }
    const n = "123456789".indexOf(e.key);
    const btn = n >= 0 ? this.root.querySelectorAll(".opt:not([aria-disabled])")[n] : this.root.querySelector(`.opt[data-key="${CSS.escape(e.key)}"]`);
    if (btn) { btn.click(); return true; }
    return false;
  }

  // --- drawing ---
  draw() {
    const p = this.p;
    this.focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.o : null;
    const r = clear(this.root);
    if (!p) { r.className = "panel prompt idle"; r.append(h("p.quiet", t("noDecision"))); return; }
    const seat = this.scene.seats?.[p.seat];
    r.className = `panel prompt s${p.seat ?? 9} m-${p.mode}`;
    const who = p.who || (p.mode === "you" ? t("yours") : p.mode === "wait" ? t("decides", { name: seat?.name }) : p.mode === "over" ? t("over") : p.mode === "past" ? t("past") : t("waiting"));
    r.append(h("header", seat ? emblem(seat.charge, p.seat, { cls: "mini" }) : null, h("span.who", who), p.phase ? h("span.ph", p.phase) : null, p.left ? h("span.left", glyph("hourglass"), p.left) : null));
    r.append(h("h2.ask", { id: "ask", tabindex: "-1" }, p.ask));
    if (p.why) r.append(h("p.why", p.why));
    if (this.refusal) r.append(h("p.refused", { role: "alert" }, this.refusal));
    if (this.sent) { r.append(h("p.sent", t("sent"))); return; }
    if (this.api.extra) r.append(...[this.api.extra(p)].flat().filter(Boolean));
    if (p.mode === "past") return;
    let n = 0;
    const key = () => (++n <= 9 ? h("kbd", String(n)) : h("kbd.no"));
    for (const f of this.fields()) {
      const box = h("div.field.f-" + f.type, { role: "group", "aria-label": f.label || p.ask });
      if (f.label) box.append(h("h3", f.label, f.note ? h("em", f.note) : null));
      if (f.type === "one") {
        if (this.path.length) box.append(h("button.crumb", { type: "button", onclick: () => this.back() }, "‹ ", this.name(this.path.at(-1))));
        const c = this.cands(f);
        const groups = new Map();
        for (const o of c) { const g = o.grp ?? ""; (groups.get(g) || groups.set(g, []).get(g)).push(o); }
        const grid = f.look === "chips";
        for (const [g, os] of groups) {
          if (g) box.append(h("h4", g));
          box.append(h(`div.opts${grid ? ".chips" : ""}`, os.map(o => h(`button.opt${this.v[f.id] === o.id ? ".on" : ""}${o.tone ? ".o-" + o.tone : ""}`, {
            type: "button", "data-o": `${f.id}|${o.id}`, "data-key": o.key, "aria-disabled": o.off ? "true" : null, title: o.off || o.tip, "aria-pressed": this.p.confirm ? String(this.v[f.id] === o.id) : null,
            onclick: () => this.choose(f, o.id) },
            grid ? null : o.key ? h("kbd", o.key) : key(), o.g ? glyph(o.g) : null, h("span.ol", h("span.lb", o.label), o.off || o.sub ? h("span.sb", o.off || o.sub) : null),
            o.dice ? h("span.od", o.dice.map(d => h("span.dn", dieFace({ t: d.t, g: d.g }, ".sm"), d.n > 1 ? "×" + d.n : null))) : o.end ? h("span.oe", o.end) : null))));
        }
      } else if (f.type === "many") {
        const a = this.v[f.id] || [];
        box.append(h("div.opts", f.items.map(it => h(`button.opt.chk${a.includes(it.id) ? ".on" : ""}`, { type: "button", role: "checkbox", "aria-checked": String(a.includes(it.id)), "data-o": `${f.id}|${it.id}`, onclick: () => this.toggle(f, it.id) }, key(), it.g ? glyph(it.g) : null, h("span.ol", h("span.lb", it.label), it.sub ? h("span.sb", it.sub) : null), f.ordered && a.includes(it.id) ? h("span.oe", `${a.indexOf(it.id) + 1}.`) : null))),
          h("p.count", t(f.ordered ? "chosenInOrder" : "chosen", { a: a.length, of: f.min === f.max ? f.max : `${f.min || 0}–${f.max ?? f.items.length}` })));
      } else if (f.type === "assign") {
        const a = this.v[f.id] || {};
        const free = f.items.filter(x => !a[x.id]);
        box.append(h("div.pool", free.map(it => h(`button.chip${this.held === it.id ? ".on" : ""}`, { type: "button", "data-o": `${f.id}|${it.id}`, "aria-pressed": String(this.held === it.id), onclick: () => this.hold(it.id) }, it.die ? dieFace(it.die, ".sm") : it.g ? glyph(it.g) : null, it.label)), free.length ? null : h("span.quiet", t("allPlaced"))),
          h(`div.opts${f.slots.length > 4 ? ".dense" : ""}`, f.slots.map(sl => { const its = f.items.filter(x => a[x.id] === sl.id); return h(`button.opt.slotrow${its.length ? ".on" : ""}`, { type: "button", "data-o": `${f.id}|${sl.id}`, onclick: () => { if (this.held) this.give(f, sl.id, this.held); else if (its.length) this.take(f, its.at(-1).id); } }, h("span.ol", h("span.lb", sl.label), sl.sub ? h("span.sb", sl.sub) : null), its.length ? h("span.got", its.map(it => [it.g ? glyph(it.g) : it.die ? dieFace(it.die, ".sm") : null, its.length === 1 && !it.die ? it.label : null])) : h("span.got.none", "—")); })));
      } else if (f.type === "number") {
        const val = this.v[f.id] ?? f.min ?? 0; this.v[f.id] = val;
        const step = d => { this.keep(); this.v[f.id] = Math.max(f.min ?? 0, Math.min(f.max, val + d)); this.refresh(); };
        box.append(h("div.num", h("button", { type: "button", "aria-label": t("less"), onclick: () => step(-1) }, "−"), h("output", String(val)), h("button", { type: "button", "aria-label": t("more"), onclick: () => step(1) }, "+"), f.unit ? h("span.quiet", f.unit) : null));
      } else if (f.type === "order") {
        const a = this.v[f.id] || [];
        box.append(h("ol.ord", a.map((id, i) => h("li", h("span", f.items.find(x => x.id === id).label), h("button", { type: "button", "aria-label": t("earlier"), onclick: () => { if (i) { this.keep(); [a[i - 1], a[i]] = [a[i], a[i - 1]]; this.refresh(); } } }, "↑")))));
      }
      r.append(box);
    }
    if (p.mode === "you" && this.asks()) r.append(h("footer", h("button.go", { type: "button", disabled: !this.ready(), onclick: () => this.send() }, typeof p.confirm === "string" ? p.confirm : t("confirm")),
      this.past.length ? h("button.ghost", { type: "button", onclick: () => this.undo() }, t("undo")) : null, this.left() || p.hint ? h("span.quiet", this.left() || p.hint) : null));
    else if (p.hint) r.append(h("p.quiet.foot", p.hint));
    this.refocus();
  }
  // drawing makes new buttons; the keyboard stays on the one it was on
  refocus() { if (this.focused) this.root.querySelector(`[data-o="${CSS.escape(this.focused)}"]`)?.focus({ preventScroll: true }); }
  name(ref) { return this.scene.pieces[ref]?.title || this.scene.zones[ref?.split("#")[0]]?.slots?.[ref.split("#")[1]]?.label || this.scene.zones[ref?.split("#")[0]]?.geom?.areas?.[ref.split("#")[1]]?.label || t("back"); }
}
