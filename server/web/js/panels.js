// Seats, inspector, log, text board.
import { h, clear, button } from "./dom.js";
import { emblem, glyph } from "./glyph.js";
import { bar, dieFace } from "./piece.js";
import { t } from "./strings.js";

const clock = ms => { const s = Math.max(0, Math.round(ms / 1000)), m = Math.floor(s / 60); return m >= 60 ? `${Math.floor(m / 60)}:${String(m % 60).padStart(2, "0")}:${String(s % 60).padStart(2, "0")}` : `${m}:${String(s % 60).padStart(2, "0")}`; };

// here: the seats whose players are connected, where that is known
export function drawSeats(root, scene, seats, here) {
	clear(root).append(...seats.map(i => {
		const s = scene.seats[i];
		return h(`div.seat.s${i}${s.active ? ".active" : ""}`, { "aria-label": s.aria || `${s.name}, ${s.side || ""}${s.active ? `, ${t("toDecide")}` : ""}`, role: "group" },
			h("span.turn", { title: s.active ? t("toDecide") : null }), emblem(s.charge, i), h("span.nm", s.name), here && !here.has(i) ? h("span.off", t("away")) : null, h("span.sd", s.side),
			h("span.mks", Object.values(s.marks || {}).map(m => h("span", { title: m.label }, glyph(m.g), h("i", { style: { "font-style": "normal" } }, m.label)))),
			h("span.cts", Object.entries(s.counters || {}).map(([k, c]) => h(`span.ct${c.key ? ".key" : ""}`, { title: c.label, "data-ref": `c:${i}/${k}` }, glyph(c.g), h("b", String(c.v), c.max !== undefined ? h("i", "/" + c.max) : null), h("span.vh", c.label)))),
			s.clock ? h(`span.clk${s.clock.run ? ".run" : ""}${s.clock.ms < 30000 ? ".low" : ""}`, { role: "timer", "aria-label": t("clockOf", { name: s.name }) }, clock(s.clock.ms)) : null);
	}));
}

const tipLine = x => h("li", Array.isArray(x) ? [h("b", x[0] + " "), x[1]] : x);

export function drawInfo(root, scene, ref) {
	clear(root);
	const p = ref && scene.pieces[ref.split("/")[0]];
	const [zid, slot] = (ref || "").split("#");
	const zone = scene.zones[zid], area = zone?.geom.areas?.[slot];
	if (p) {
		root.className = `panel s${p.owner ?? 9}`;
		const hidden = p.face === "down";
		const end = ref.includes("/") && p.ends?.[+ref.split("/")[1]];
		root.append(end ? h("span.ig.num", String(end.v)) : hidden || p.art !== "plain" ? emblem(hidden ? scene.seats[p.owner ?? p.back?.seat]?.charge || "hood" : p.glyph, p.owner ?? p.back?.seat ?? 9, { tier: hidden ? 0 : p.tier || 0, form: p.shape === "disc" ? "token" : "shield" }) : glyph(p.glyph, "g ig"),
			h("h3", end ? end.label || `${p.title} ${end.v}` : hidden ? p.backTitle || t("faceDown") : p.title || p.label), h("p.sub", [p.sub, p.tierLabel].filter(Boolean).join(" · ") || p.kind));
		const rows = h("div.rows");
		if (p.bar && !hidden) rows.append(h("span", bar(p.bar), h("b", `${p.bar.v}/${p.bar.max}`), p.bar.label || t("life")));
		if (p.dice?.length && !hidden) rows.append(h("span", h("span.dice", { style: { display: "flex", gap: "3px" } }, p.dice.map(d => dieFace(d, ".sm")))));
		if (!hidden) for (const st of p.stats || []) rows.append(h("span", st.g ? glyph(st.g) : null, st.label || st.k, h("b", String(st.v))));
		for (const b of p.badges || []) if (b.label) rows.append(h("span", b.g ? glyph(b.g) : null, b.label, b.n !== undefined ? h("b", String(b.n)) : null));
		if (rows.childNodes.length) root.append(rows);
		const tips = (end && end.tip) || p.tip || [];
		if (tips.length) root.append(h("ul.tips", tips.map(tipLine)));
		if (p.known) root.append(h("p.known", glyph("hood"), p.known));
	} else if (area) {
		root.className = "panel s9";
		root.append(glyph(area.glyph || { forest: "pine-tree", village: "village", hill: "mountains", swamp: "swamp", field: "grass", interior: "church" }[area.terrain] || "grass", "g ig"), h("h3", area.label), h("p.sub", area.sub || area.terrain));
		if (area.tip) root.append(h("ul.tips", area.tip.map(tipLine)));
	} else if (zone && !slot && zone.tip) {
		root.className = "panel"; root.append(h("h3", zone.label), h("p.sub", zone.note || ""), h("ul.tips", zone.tip.map(tipLine)));
	} else { root.className = "panel empty"; root.append(t("pointAt")); return false; }
	return true;
}

export function drawLog(root, scene) {
	const line = l => {
		if (l.k === "head") return h("div.hd", l.t);
		const body = [].concat(l.t).map(x => typeof x === "string" ? x : h("span.ref", { "data-ref": x.r }, x.t));
		return h(`div.ln.s${l.seat ?? 9}.k-${l.k || "line"}`, body);
	};
	const log = scene.log || [], n = root._n || 0;
	const more = n && n <= log.length && log[n - 1] === root._last;      // same story so far: append only
	if (!more) clear(root);
	root.querySelector(".now")?.classList.remove("now");
	root.append(...log.slice(more ? n : 0).map(l => line(l)));
	root.lastChild?.classList.add("now");
	root._n = log.length; root._last = log.at(-1);
	requestAnimationFrame(() => { root.scrollTop = root.scrollHeight; });
}

export const plainText = l => (l ? [].concat(l.t).map(x => x.t || x).join("") : "");

// The same Scene as headings and lists; for screen readers and for anybody who prefers text. `sets` are the refs that
// can be chosen now: they are buttons here too.
export function drawText(root, scene, sets, pick) {
	const at = root.contains(document.activeElement) ? document.activeElement.dataset.pick : null;
	clear(root);
	for (const s of Object.values(scene.seats)) root.append(h("h2", `${s.name}, ${s.side}${s.active ? ` (${t("toDecide")})` : ""}`),
		h("ul", Object.values(s.counters || {}).map(c => h("li", `${c.label}: ${c.v}${c.max !== undefined ? t("ofMax", { max: c.max }) : ""}`)), Object.values(s.marks || {}).map(m => h("li", m.label))));
	const chosen = (ref, label) => sets?.can.has(ref) ? button(`.tpick${sets.sel.has(ref) ? ".on" : ""}`, { "data-pick": ref, onclick: () => pick(ref) }, label) : label;
	const text = (id, p) => {
		const more = Object.entries(scene.pieces).filter(([, q]) => q.on === id).map(([qid, q]) => ["; ", chosen(qid, q.label || q.title)]);
		const ends = (p.ends || []).map((e, i) => ["; ", chosen(`${id}/${i}`, e.label)]);
		return [chosen(id, p.label || p.title), ends, more];
	};
	const joined = list => list.map((x, i) => [i ? ", " : "", x]);
	for (const [zid, z] of Object.entries(scene.zones)) {
		if (!z.label && !z.aria) continue;
		const mine = Object.entries(scene.pieces).filter(([, p]) => p.zone === zid && !p.on), items = [];
		const places = z.geom.areas || z.slots;
		if (places) for (const [key, place] of Object.entries(places)) {
			const there = mine.filter(([, p]) => String(p.slot) === key);
			items.push([chosen(`${zid}#${key}`, place.aria || place.label), ": ", there.length ? joined(there.map(([id, p]) => text(id, p))) : t("empty")]);
		} else items.push(...mine.sort((a, b) => (a[1].slot ?? 0) - (b[1].slot ?? 0)).map(([id, p]) => text(id, p)));
		if (z.geom.count !== undefined) items.push(t("cards", { n: z.geom.count }));
		for (const x of [...Object.values(z.geom.items || {}), ...Object.values(z.geom.marks || {})]) items.push(x.v === "" ? x.label : `${x.label}: ${x.v}`);
		const roll = z.geom.roll;
		if (roll) items.push([roll.title, ": ", roll.groups.map(g => [g.label, g.label ? ": " : "", g.dice.map(d => d.label || d.f).join(", "), g.sum ? `, ${g.sum}` : "", "; "]), roll.result || ""]);
		if (items.length) root.append(h("h2", chosen(zid, z.aria || z.label)), h("ul", items.map(x => h("li", x))));
	}
	if (at) root.querySelector(`[data-pick="${CSS.escape(at)}"]`)?.focus();
}
