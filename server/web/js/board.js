// The board: one stage, three layers (drawn ground, slots, pieces) plus an overlay for arrows.
import { h, s, keyed, clear, reduced, button } from "./dom.js";
import { drawings, glyph } from "./glyph.js";
import { arrange, pickLayout, neighbour } from "./geom.js";
import { drawPiece, dieFace } from "./piece.js";
import { t } from "./strings.js";

const px = n => Math.round(n * 10) / 10;

export class Board {
	constructor(root, on) {
		this.root = root; this.on = on;               // on: {hover(ref), pick(ref), focus(ref)}
		this.ground = s("svg", { class: "ground", "aria-hidden": "true" });
		this.zones = h("div.zones"); this.slots = h("div.slots"); this.pieces = h("div.pieces");
		this.over = s("svg", { class: "over", "aria-hidden": "true" }, s("defs", null,
			s("marker", { id: "tip", viewBox: "0 0 10 10", refX: 7.5, refY: 5, markerWidth: 4.2, markerHeight: 4.2, orient: "auto-start-reverse" }, s("path", { d: "M0 0L10 5L0 10L2.6 5Z", class: "tip" }))));
		this.links = s("g"); this.over.append(this.links);
		this.fx = h("div.fx", { "aria-hidden": "true" });
		this.stage = h("div.stage", { role: "group", "aria-roledescription": t("gameBoard"), "aria-label": t("board") }, this.ground, this.zones, this.slots, this.pieces, this.over, this.fx);
		root.append(this.stage);
		this.nodes = new Map();
		this.last = new Map();
		const refOf = e => e.target.closest?.("[data-ref]")?.dataset.ref;
		this.stage.addEventListener("pointerover", e => e.pointerType === "mouse" && this.on.hover(refOf(e)));
		this.stage.addEventListener("pointerleave", () => this.on.hover(null));
		this.stage.addEventListener("focusin", e => { const r = refOf(e); if (r) { this.cursor = r; this.on.focus(r); } });
		this.stage.addEventListener("click", e => { if (this.pressed) { this.pressed = false; return; } this.on.pick(refOf(e) || null); });
		// a long press reads a card instead of choosing it
		let timer;
		const end = () => clearTimeout(timer);
		this.stage.addEventListener("pointerdown", e => { this.pressed = false; const r = refOf(e); end(); if (r && e.pointerType !== "mouse") timer = setTimeout(() => { this.pressed = true; this.on.read(r); }, 480); });
		for (const name of ["pointerup", "pointercancel", "pointermove"]) this.stage.addEventListener(name, e => { if (name !== "pointermove" || Math.hypot(e.movementX, e.movementY) > 4) end(); });
		this.stage.addEventListener("contextmenu", e => { const r = refOf(e); if (r) { e.preventDefault(); this.on.read(r); } });
		this.stage.addEventListener("keydown", e => this.key(e));
		new ResizeObserver(() => { this.measure(); if (this.scene) { this.render(this.scene, { instant: true }); this.on.resized?.(); } }).observe(root);
	}

	measure() { this.bw = this.root.clientWidth; this.bh = this.root.clientHeight; }   // the only layout read

	key(e) {
		if (!e.key.startsWith("Arrow") || !this.cursor) return;
		const all = new Map();
		for (const [id, r] of this.geo.pieces) all.set(id, r);
		for (const [id, r] of this.geo.slots) if (this.nodes.get("slot:" + id)) all.set(id, r);
		const from = all.get(this.cursor.split("/")[0]) || this.geo.slots.get(this.cursor);
		const to = from && neighbour(from, e.key, all);
		if (to) { e.preventDefault(); this.focus(to); }
	}

	node(ref) { return this.nodes.get(ref) || this.nodes.get("slot:" + ref) || this.nodes.get("zone:" + ref) || this.nodes.get("area:" + ref); }
	focus(ref) { const n = this.node(ref); if (n) { for (const x of this.stage.querySelectorAll("[tabindex='0']")) x.tabIndex = -1; n.tabIndex = 0; n.focus({ preventScroll: false }); } }

	rect(ref) {
		if (!ref) return null;
		const base = ref.split("/")[0], end = ref.split("/")[1];
		let r = this.geo.pieces.get(base) || this.geo.slots.get(ref) || this.geo.zones.get(ref);
		if (!r) return null;
		if (end !== undefined) r = { x: r.x, w: r.w, h: r.h / 2, y: r.y + (end === "1" ? r.h / 2 : 0) };
		const u = this.u;
		return { x: r.x * u, y: r.y * u, w: r.w * u, h: r.h * u };
	}

	render(scene, { instant = false } = {}) {
		this.scene = scene; this.instant = instant;
		if (!this.bw) this.measure();
		const { bw, bh } = this;
		if (!bw || !bh) return;
		this.layout = pickLayout(scene, bw, bh);
		this.stage.dataset.layout = this.layout;
		const geo = (this.geo = arrange(scene, this.layout));
		const [W, H] = geo.size;
		const tall = this.layout === "tall";
		this.u = tall ? bw / W : Math.min(bw / W, bh / H);
		const u = this.u;
		Object.assign(this.stage.style, { width: px(W * u) + "px", height: px(H * u) + "px" });
		this.stage.style.setProperty("--u", u + "px");
		this.over.setAttribute("viewBox", `0 0 ${px(W * u)} ${px(H * u)}`);
		this.ground.setAttribute("viewBox", `0 0 ${px(W * u)} ${px(H * u)}`);
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
		keyed(this.zones, list, x => x.id, x => { const el = h("div.zone", { "data-ref": x.id }); this.nodes.set("zone:" + x.id, el); return el; }, (el, { id, r, z }) => {
			this.place(el, r, u);
			const sig = JSON.stringify([z.label, z.style, z.geom.items, z.geom.marks, z.geom.count, z.geom.back, z.owner, z.note, this.layout, z.geom.roll, Math.round(u * 10)]);
			if (el._sig === sig) return;
			el._sig = sig;
			const edge = r.w < geo.size[0] * .1 && r.x + r.w > geo.size[0] * .95;
			el.className = `zone zt-${z.geom.type} zs-${z.style || "none"} ${z.owner !== undefined ? "s" + z.owner : ""}${edge ? " edge" : ""}`;
			clear(el);
			if (z.label && z.style !== "bare") el.append(h("span.zl", z.label, z.note ? h("em", z.note) : null));
			if (z.geom.type === "pile") el.append(this.pile(z, geo.slots.get(id + "#top"), r, u));
			if (z.geom.type === "panel") el.append(this.panel(z));
			if (z.geom.type === "track") el.append(this.track(z));
			if (z.geom.type === "tray") el.append(this.tray(z, r.h > r.w * .5));
		});
	}

	pile(z, box, r, u) {
		const n = z.geom.count ?? 0, seat = z.geom.back?.seat ?? 9;
		const b = h(`span.stack.s${seat}${n ? "" : ".empty"}`, { style: { left: px((box.x - r.x) * u) + "px", top: px((box.y - r.y) * u) + "px", width: px(box.w * u) + "px", height: px(box.h * u) + "px" } });
		if (n) {
			for (let i = Math.min(3, n - 1); i > 0; i--) b.append(h("i.under", { style: { transform: `translate(${i * 1.6}px,${i * 1.6}px)` } }));
			if (!z.geom.open) b.append(h(`span.bk.s${seat}`, glyph(z.geom.back?.g || this.scene.seats?.[seat]?.charge || "crown", "g big")));
		}
		return [b, h("span.cnt", String(n))].reduce((f, x) => (f.append(x), f), document.createDocumentFragment());
	}

	panel(z) {
		return h("span.items", Object.entries(z.geom.items || {}).map(([k, c]) =>
			h(`span.it${c.tone ? ".tn-" + c.tone : ""}${c.v === 0 ? ".zero" : ""}`, { "data-ref": `${k}`, title: c.label }, c.g ? glyph(c.g) : null, h("span.itl", c.label), h("b", String(c.v), c.max !== undefined ? h("i", "/" + c.max) : null))));
	}

	track(z) {
		const { min = 0, max, marks = {}, ticks = 10 } = z.geom;
		const pc = v => (100 * (Math.max(min, Math.min(max, v)) - min)) / (max - min);
		const el = h("span.trk");
		const rail = h("span.rail");
		for (let v = min; v <= max; v += ticks) rail.append(h("i.tick", { style: { left: pc(v) + "%" } }, h("u", String(v))));
		for (const k in marks) if (marks[k].fill) rail.append(h(`i.fil.tn-${marks[k].tone || "grey"}`, { style: { width: pc(marks[k].v) + "%" } }));
		for (const k in marks) rail.append(h(`span.mk.tn-${marks[k].tone || "grey"}${marks[k].fill ? "" : ".pin"}`, { style: { left: pc(marks[k].v) + "%" } }));
		const head = h("span.trh", Object.entries(marks).map(([k, m]) => h(`span.tm.tn-${m.tone || "grey"}`, { title: m.label, "data-ref": `c:${k}` }, m.g ? glyph(m.g) : null, h("span", m.label), h("b", String(m.v)))));
		el.append(head, rail);
		return el;
	}

	tray(z, tall) {
		const roll = z.geom.roll;
		if (!roll) return h("span.quiet", z.geom.quiet || "");
		return h(`span.roll${tall ? ".stackd" : ""}`, h("span.rt", roll.title), roll.groups.map(g => h(`span.rg.s${g.owner ?? 9}`, h("span.rl", g.label),
			h("span.rd", g.dice.map((d, i) => dieFace(d, `.r${i % 3}`))), g.sum ? h("span.rs", g.sum) : null)), roll.result ? h("span.rr", roll.result) : null);
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
		keyed(this.slots, list, x => x.id, x => {
			const el = button(".slot", { "data-ref": x.id, tabindex: "-1" });
			this.nodes.set("slot:" + x.id, el); return el;
		}, (el, { id, r }) => {
			this.place(el, r, u);
			const [zid, key] = id.split("#"), info = scene.zones[zid].slots?.[key] || geo.areas.get(id)?.a || {};
			el.classList.toggle("at-area", geo.areas.has(id));
			el.setAttribute("aria-label", info.aria || info.label || key);
			const short = info.short || "";
			if (el.textContent !== short && !geo.areas.has(id)) el.textContent = short;
		});
	}

	drawPieces(scene, geo, u) {
		const moves = [];
		const list = [...geo.pieces].map(([id, r]) => ({ id, r, p: scene.pieces[id] }));
		const hosts = new Set(list.map(x => x.p.on).filter(Boolean));
		keyed(this.pieces, list, x => x.id, ({ id, p }) => {
			const el = p.ends ? h("div.pc", { "data-ref": id, role: "group" }) : button(".pc", { "data-ref": id, tabindex: "-1" });
			this.nodes.set(id, el);
			el._new = true;
			el._leave = () => { this.nodes.delete(id); this.last.delete(id); el.inert = true; el.classList.add("bye"); if (this.instant || reduced()) el.remove(); else el.animate([{ opacity: 1 }, { opacity: 0, scale: ".82" }], { duration: 260, easing: "ease-in" }).finished.then(() => el.remove(), () => el.remove()); };
			return el;
		}, (el, { id, r, p }) => {
			const w = r.w * u, hh = r.h * u;
			const land = w / hh > 1.22, clamp = (lo, v, hi) => Math.max(lo, Math.min(hi, v));
			const fs = p.shape !== "card" ? clamp(7, hh * .2, 15) : land ? p.dice ? Math.max(8, Math.min((w - hh * .64 - 16) / 8.1, clamp(9, hh * (hh >= 100 ? .106 : .118), 15))) : hh >= 100 ? clamp(10.5, hh * .106, 15) : clamp(9.4, hh * .152, 13) : clamp(8.6, w * .112, 15);
			drawPiece(el, id, p, scene, w, hh, hosts.has(id), fs);
			const name = p.label || p.title || p.kind, box = [w, hh, r.x * u, r.y * u, r.rot, p.rot, r.z + (p.z || 0)].map(v => px(v || 0)).join();
			if (el._name !== name) el.setAttribute("aria-label", (el._name = name));
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
				el.animate([{ transform: was }, { transform: now }], { duration: 420 / (this.speed || 1), delay, easing: "cubic-bezier(.3,.9,.3,1)", fill: "backwards" })
					.finished.then(() => el.classList.remove("lift"), () => {});
			} else el.animate([{ opacity: 0, scale: ".9" }, { opacity: 1, scale: "1" }], { duration: 240, delay, easing: "ease-out", fill: "backwards" });
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

	// sets: {can:Set, sel:Set, hint:Set}
	mark(sets = this.sets || {}) {
		this.sets = sets;
		const on = (n, c, v) => n.classList.toggle(c, v);
		for (const [key, n] of this.nodes) {
			const ref = key.replace(/^(slot|zone|area):/, "");
			on(n, "can", !!sets.can?.has(ref)); on(n, "sel", !!sets.sel?.has(ref)); on(n, "hint", !!sets.hint?.has(ref));
			if (n.classList.contains("two")) for (const e of n.querySelectorAll(".end")) { const r = e.dataset.ref; on(e, "can", !!sets.can?.has(r)); on(e, "sel", !!sets.sel?.has(r)); on(e, "hint", !!sets.hint?.has(r)); e.tabIndex = sets.can?.has(r) ? 0 : -1; }
			n._mark = ["can", "sel", "hint"].filter(c => n.classList.contains(c)).join(" ");
			const why = sets.can?.has(ref) ? sets.why?.get(ref) || t("canChoose") : null;
			if (n.tagName === "BUTTON" && n._why !== why) {
				n._why = why;
				if (why) n.setAttribute("aria-description", why); else n.removeAttribute("aria-description");
				n.tabIndex = why ? 0 : -1;
			}
		}
		if (this.lit) {   // legal areas are outlined once more above the hex lines
			clear(this.lit);
			for (const c of ["can", "sel", "hint"]) for (const ref of sets[c] || []) {
				const a = this.nodes.get("area:" + ref);
				if (a) this.lit.append(s("path", { d: a.getAttribute("d"), class: "lit lit-" + c }));
			}
		}
		this.stage.classList.toggle("choosing", !!sets.can?.size);
		if (this.nodes.size && !this.stage.querySelector("[tabindex='0']")) { const f = this.pieces.querySelector(".pc"); if (f) f.tabIndex = 0; }
	}
}
