// The board: one stage, three layers (drawn ground, slots, pieces) plus an overlay for arrows.
import { $, h, s, keyed, clear, play, reduced, button } from "./dom.js";
import { drawings, glyph } from "./glyph.js";
import { arrange, pickLayout, neighbour } from "./geom.js";
import { drawPiece, dieFace } from "./piece.js";
import { t } from "./strings.js";

const px = n => Math.round(n * 10) / 10, LONG_PRESS_MS = 480, DRAG_PX = 10;
const refOf = e => e.target.closest?.("[data-ref]")?.dataset.ref;

export class Board {
	// on: {hover(ref), pick(ref), focus(ref), read(ref), resized()}
	constructor(root, on) {
		this.root = root; this.on = on;
		const stage = (this.stage = $(".stage", root));
		for (const layer of ["ground", "zones", "slots", "pieces", "over", "fx"]) this[layer] = $("." + layer, stage);
		this.links = $("g", this.over);
		this.nodes = new Map();
		this.last = new Map();
		this.marked = [];
		const hear = (name, f) => stage.addEventListener(name, f);
		hear("pointerover", e => e.pointerType === "mouse" && on.hover(refOf(e)));
		hear("pointerleave", () => on.hover(null));
		hear("focusin", e => { const r = refOf(e); if (r) { this.cursor = r; on.focus(r); } });
		hear("click", e => { if (this.pressed) this.pressed = false; else on.pick(refOf(e) || null); });
		hear("contextmenu", e => { const r = refOf(e); if (r) { e.preventDefault(); on.read(r); } });
		hear("keydown", e => this.key(e));
		this.hearPresses(hear);
		new ResizeObserver(() => { this.measure(); if (this.scene) { this.render(this.scene, { instant: true }); on.resized(); } }).observe(root);
	}

	// A long press reads a card instead of choosing it; a drag chooses where it begins, then where it ends.
	hearPresses(hear) {
		let timer, from, at;
		const end = () => { clearTimeout(timer); if (from) this.stage.classList.remove("dragging"); from = null; };
		hear("pointerdown", e => {
			end();
			this.pressed = false;
			from = e.button ? null : refOf(e);
			at = [e.clientX, e.clientY];
			const ref = from;
			if (ref && e.pointerType !== "mouse") timer = setTimeout(() => { this.pressed = true; end(); this.on.read(ref); }, LONG_PRESS_MS);
		});
		hear("pointermove", e => {
			if (!from || Math.hypot(e.clientX - at[0], e.clientY - at[1]) < DRAG_PX) return;
			clearTimeout(timer);
			if (this.sets?.can?.has(from)) this.stage.classList.add("dragging");
		});
		hear("pointerup", e => {
			const to = document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-ref]")?.dataset.ref, began = from, dragged = this.stage.classList.contains("dragging");
			end();
			if (!dragged || !to || to === began) return;
			this.pressed = true; // no click follows
			setTimeout(() => { this.pressed = false; });
			if (this.on.pick(began)) this.on.pick(to);
		});
		hear("pointercancel", end);
	}

	measure() { this.bw = this.root.clientWidth; this.bh = this.root.clientHeight; }   // the only layout read

	key(e) {
		if (!e.key.startsWith("Arrow") || !this.cursor) return;
		const all = [...this.stage.querySelectorAll("button[data-ref]")].map(b => b.dataset.ref);
		const from = this.rect(this.cursor), to = from && neighbour(from, e.key, all.map(ref => [ref, this.rect(ref)]).filter(x => x[1]));
		if (to) { e.preventDefault(); this.focus(to); }
	}

	node(ref = "") { const [id, end] = ref.split("/"); return end ? this.nodes.get(id)?.querySelector(".e" + end) : this.nodes.get(ref) || this.nodes.get("slot:" + ref) || this.nodes.get("zone:" + ref) || this.nodes.get("area:" + ref); }
	focus(ref) { const n = this.node(ref); if (n) { n.tabIndex = 0; n.focus(); } }

	rect(ref) {
		if (!ref) return null;
		const [base, end] = ref.split("/"), r = this.geo.pieces.get(base) || this.geo.slots.get(ref) || this.geo.zones.get(ref), u = this.u;
		if (!r) return null;
		const half = end ? r.h / 2 : r.h; // an end of a card is a half of it
		return { x: r.x * u, y: (r.y + (end === "1" ? half : 0)) * u, w: r.w * u, h: half * u };
	}

	render(scene, { instant = false } = {}) {
		this.scene = scene; this.instant = instant;
		if (!this.bw) this.measure();
		const { bw, bh } = this;
		if (!bw || !bh) return;
		this.layout = pickLayout(scene, bw, bh);
		this.stage.dataset.layout = this.layout;
		const geo = (this.geo = arrange(scene, this.layout)), [W, H] = geo.size, u = (this.u = this.layout === "tall" ? bw / W : Math.min(bw / W, bh / H));
		if (this.sized !== (this.sized = `${px(W * u)} ${px(H * u)}`)) {
			Object.assign(this.stage.style, { width: px(W * u) + "px", height: px(H * u) + "px" });
			this.stage.style.setProperty("--u", u + "px");
			for (const svg of [this.over, this.ground]) svg.setAttribute("viewBox", "0 0 " + this.sized);
		}
		this.drawZones(scene, geo, u);
		this.drawAreas(scene, geo, u);
		this.drawSlots(scene, geo, u);
		const moves = this.drawPieces(scene, geo, u);
		this.drawLinks(scene);
		this.mark();
		if (!instant && !reduced()) this.glide(moves);
	}

	place(el, r, u, rot = 0) {
		el.style.width = px(r.w * u) + "px"; el.style.height = px(r.h * u) + "px";
		return (el.style.transform = `translate(${px(r.x * u)}px,${px(r.y * u)}px)${rot ? ` rotate(${rot}deg)` : ""}`);
	}

	drawZones(scene, geo, u) {
		const list = [...geo.zones].map(([id, r]) => ({ id, r, z: scene.zones[id] }));
		keyed(this.zones, list, x => { const el = h("div.zone", { "data-ref": x.id }); this.nodes.set("zone:" + x.id, el); return el; }, (el, { id, r, z }) => {
			const { areas, ...shown } = z.geom, sig = JSON.stringify([z.label, z.style, z.owner, z.note, shown, r, u]);
			if (el._sig === sig) return;
			el._sig = sig;
			this.place(el, r, u);
			const edge = r.w < geo.size[0] * .1 && r.x + r.w > geo.size[0] * .95;
			el.className = `zone zt-${z.geom.type} zs-${z.style || "none"} ${z.owner !== undefined ? "s" + z.owner : ""}${edge ? " edge" : ""}`;
			clear(el);
			if (z.label && z.style !== "bare") el.append(h("span.zl", z.label, z.note && h("em", z.note)));
			if (z.geom.type === "pile") el.append(...this.pile(z, geo.slots.get(id + "#top"), r, u));
			if (z.geom.type === "panel") el.append(this.panel(z));
			if (z.geom.type === "track") el.append(this.track(z));
			if (z.geom.type === "tray") el.append(this.tray(z, r.h > r.w * .5));
		});
	}

	pile(z, box, r, u) {
		const n = z.geom.count ?? 0, seat = z.geom.back?.seat ?? 9, b = h(`span.stack.s${seat}${n ? "" : ".empty"}`);
		this.place(b, { ...box, x: box.x - r.x, y: box.y - r.y }, u);
		for (let i = Math.min(3, n - 1); i > 0; i--) b.append(h("i.under", { style: { translate: `${i * 1.6}px ${i * 1.6}px` } }));
		if (n && !z.geom.open) b.append(h(`span.bk.s${seat}`, glyph(z.geom.back?.g || this.scene.seats?.[seat]?.charge || "crown", "g big")));
		return [b, h("span.cnt", n)];
	}

	panel(z) {
		return h("span.items", Object.entries(z.geom.items || {}).map(([k, c]) =>
			h(`span.it${c.tone ? ".tn-" + c.tone : ""}${c.v === 0 ? ".zero" : ""}`, { "data-ref": k, title: c.label }, c.g && glyph(c.g), h("span.itl", c.label), h("b", c.v, c.max != null && h("i", "/" + c.max)))));
	}

	track(z) {
		const { min = 0, max, marks = {}, ticks = 10 } = z.geom, list = Object.entries(marks);
		const at = v => (100 * (Math.max(min, Math.min(max, v)) - min)) / (max - min) + "%", tn = m => `.tn-${m.tone || "grey"}`;
		return h("span.trk", h("span.trh", list.map(([k, m]) => h("span.tm" + tn(m), { title: m.label, "data-ref": `c:${k}` }, m.g && glyph(m.g), h("span", m.label), h("b", m.v)))),
			h("span.rail", Array.from({ length: Math.floor((max - min) / ticks) + 1 }, (_, i) => h("i.tick", { style: { left: at(min + i * ticks) } }, h("u", min + i * ticks))),
				list.map(([, m]) => m.fill && h("i.fil" + tn(m), { style: { width: at(m.v) } })), list.map(([, m]) => h(`span.mk${tn(m)}${m.fill ? "" : ".pin"}`, { style: { left: at(m.v) } }))));
	}

	tray(z, tall) {
		const roll = z.geom.roll;
		if (!roll) return h("span.quiet", z.geom.quiet || "");
		return h(`span.roll${tall ? ".stackd" : ""}`, h("span.rt", roll.title), roll.groups.map(g => h(`span.rg.s${g.owner ?? 9}`, h("span.rl", g.label),
			h("span.rd", g.dice.map((d, i) => dieFace(d, `.r${i % 3}`))), g.sum && h("span.rs", g.sum))), roll.result && h("span.rr", roll.result));
	}

	drawAreas(scene, geo, u) {
		if (!geo.areas.size) { if (this.hadAreas) { clear(this.ground); this.hadAreas = this.lit = null; } return; }
		const sig = JSON.stringify([u, this.layout, [...geo.areas.values()].map(x => [x.a.terrain, x.a.tag, x.a.glyph, x.poly])]);
		if (this.hadAreas === sig) return;
		this.hadAreas = sig;
		clear(this.ground);
		const P = pts => "M" + pts.map(([x, y]) => `${px(x * u)} ${px(y * u)}`).join("L") + "Z";
		this.ground.append(s("defs", null, Object.entries(drawings.terrain).map(([id, [size, d]]) => s("pattern", { id: "pt-" + id, width: size, height: size, patternUnits: "userSpaceOnUse" }, s("path", { d, class: "ptl" })))));
		const fills = s("g", { class: "areas" }), lines = s("g", { class: "alines" }), tags = s("g", { class: "atags" });
		for (const [ref, { poly, outer, a, label, gs }] of geo.areas) {
			if (!poly.length) continue;
			const inside = a.terrain === "interior";
			const shape = s("path", { d: P(poly), class: `area${inside ? " inside" : ""}`, style: { fill: `var(--tr-${a.terrain || "plain"})` }, "data-ref": ref });
			fills.append(shape);
			this.nodes.set("area:" + ref, shape);
			if (!inside && a.terrain && a.terrain !== "plain") fills.append(s("path", { d: P(poly), class: "apat", fill: `url(#pt-${a.terrain})` }));
			if (outer.length) lines.append(s("path", { d: P(outer), class: "hexline" }));
			if (a.glyph) tags.append(s("use", { href: "#g-" + a.glyph, class: "aglyph", x: px((label[0] - gs / 2) * u), y: px((label[1] - gs / 2) * u), width: px(gs * u), height: px(gs * u) }));
			if (a.tag) tags.append(s("text", { class: "atag", x: px(label[0] * u), y: px((label[1] + (a.glyph ? gs * .5 : 0)) * u + 9) }, a.tag));
		}
		this.lit = s("g", { class: "lits" });
		this.ground.append(fills, lines, this.lit, tags);
	}

	drawSlots(scene, geo, u) {
		const list = [...geo.slots].filter(([id]) => { const z = scene.zones[id.split("#")[0]]; return z.slots || geo.areas.has(id); }).map(([id, r]) => ({ id, r }));
		keyed(this.slots, list, x => {
			const el = button(".slot", { "data-ref": x.id, tabindex: "-1" });
			this.nodes.set("slot:" + x.id, el); return el;
		}, (el, { id, r }) => {
			this.place(el, r, u);
			const [zid, key] = id.split("#"), info = scene.zones[zid].slots?.[key] || geo.areas.get(id)?.a || {};
			el.classList.toggle("at-area", geo.areas.has(id));
			el.ariaLabel = [info.aria || info.label || key, info.short].filter(Boolean).join(", ");
			if (!geo.areas.has(id) && el.textContent !== (info.short || "")) el.textContent = info.short || "";
		});
	}

	drawPieces(scene, geo, u) {
		const moves = [];
		const list = [...geo.pieces].map(([id, r]) => ({ id, r, p: scene.pieces[id], key: id + (scene.pieces[id].ends ? "/" : "") })); // with ends it is a group of buttons, not one
		const hosts = new Set(list.map(x => x.p.on).filter(Boolean));
		keyed(this.pieces, list, ({ id, p }) => {
			const el = p.ends ? h("div.pc", { "data-ref": id, role: "group" }) : button(".pc", { "data-ref": id, tabindex: "-1" });
			this.nodes.set(id, el);
			if (!p.ends) el._said = h("span.vh");
			el._new = true;
			el._leave = () => { if (this.nodes.get(id) === el) { this.nodes.delete(id); this.last.delete(id); } el.inert = true; el.classList.add("bye"); if (this.instant || reduced()) el.remove(); else play(el, [{ opacity: 1 }, { opacity: 0, scale: ".82" }], 260).then(() => el.remove()); };
			return el;
		}, (el, { id, r, p }) => {
			const w = r.w * u, hh = r.h * u;
			const land = w / hh > 1.22, most = Math.max(15, u * 1.3), clamp = (lo, v, hi = most) => Math.max(lo, Math.min(hi, v));
			const fs = p.shape !== "card" ? clamp(7, hh * .2) : !land ? clamp(8.6, w * .112) : p.dice ? Math.max(8, Math.min((w - hh * .64 - 16) / 8.1, clamp(9, hh * (hh >= 100 ? .106 : .118)))) : hh >= 100 ? clamp(10.5, Math.min(hh * .15, w * .056)) : clamp(9.4, hh * .152, 13);
			drawPiece(el, id, p, scene, w, hh, hosts.has(id), fs);
			const name = p.label || p.title || p.kind, box = [w, hh, r.x * u, r.y * u, r.rot, p.rot, r.z + (p.z || 0)].map(v => px(v || 0)).join();
			if (el._name !== (el._name = name)) if (el._said) el._said.textContent = name; else el.ariaLabel = name;
			const was = this.last.get(id);
			if (el._box === box) return;                       // untouched pieces cost nothing
			el._box = box;
			el.style.setProperty("--w", px(w) + "px"); el.style.setProperty("--h", px(hh) + "px");
			el.style.fontSize = px(fs) + "px";
			el.style.zIndex = r.z + (p.z || 0);
			const now = this.place(el, r, u, (r.rot || 0) + (p.rot || 0));
			if (was && was !== now) moves.push([el, was, now, id]);
			else if (!was && el._new) moves.push([el, null, now, id]);
			el._new = false;
			this.last.set(id, now);
		});
		return moves;
	}

	// FLIP without measuring: both transforms are already known.
	glide(moves) {
		const n = moves.filter(m => m[1]).length;
		moves.forEach(([el, was, now], i) => {
			const delay = n > 6 ? 0 : i * 40;
			if (was) {
				el.classList.add("lift");
				play(el, [{ transform: was }, { transform: now }], 420 / (this.speed || 1), { delay, easing: "cubic-bezier(.3,.9,.3,1)", fill: "backwards" }).then(() => el.classList.remove("lift"));
			} else play(el, [{ opacity: 0, scale: ".9" }, { opacity: 1, scale: "1" }], 240, { delay, fill: "backwards" });
		});
	}

	drawLinks(scene) {
		clear(this.links);
		for (const id in scene.links || {}) this.link(scene.links[id], "ln-" + (scene.links[id].tone || "ink"));
		if (this.hot) this.link(this.hot, "ln-hint");
	}
	link({ from, to }, cls) {
		const a = this.rect(from), b = this.rect(to);
		if (!a || !b) return null;
		const ax = a.x + a.w / 2, ay = a.y + a.h / 2, bx = b.x + b.w / 2, by = b.y + b.h / 2;
		const dx = bx - ax, dy = by - ay, len = Math.hypot(dx, dy) || 1;
		const cut = (r, k) => Math.min(r.w / 2 / (Math.abs(dx) / len || 1e-6), r.h / 2 / (Math.abs(dy) / len || 1e-6)) * k;
		const sa = cut(a, .55), sb = cut(b, .62);
		const p = s("path", { class: "link " + cls, d: `M${px(ax + dx / len * sa)} ${px(ay + dy / len * sa)}Q${px((ax + bx) / 2 - dy * .08)} ${px((ay + by) / 2 + dx * .08)} ${px(bx - dx / len * sb)} ${px(by - dy / len * sb)}`, "marker-end": "url(#tip)" });
		this.links.append(p);
		return p;
	}

	// sets: {can, sel, hint: sets of refs; why: what each may be chosen for}
	mark(sets = this.sets || {}) {
		this.sets = sets;
		for (const n of this.marked) { n.classList.remove("can", "sel", "hint"); n.ariaDescription = null; if (n !== document.activeElement) n.tabIndex = -1; }
		this.marked = [];
		if (this.lit) clear(this.lit);
		for (const name of ["can", "sel", "hint"]) for (const ref of sets[name] || []) {
			const n = this.node(ref), area = this.nodes.get("area:" + ref);
			for (const el of [n, area]) if (el) { el.classList.add(name); this.marked.push(el); }
			if (area) this.lit.append(s("path", { d: area.getAttribute("d"), class: "lit lit-" + name }));
			if (name === "can" && n?.tagName === "BUTTON") { n.ariaDescription = sets.why?.get(ref) || t("canChoose"); n.tabIndex = 0; }
		}
		this.stage.classList.toggle("choosing", !!sets.can?.size);
		if (!this.stage.querySelector("[tabindex='0']")) { const f = $(".pc", this.pieces); if (f) f.tabIndex = 0; }
	}
}
