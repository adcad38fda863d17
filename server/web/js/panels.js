// Seats, inspector, log, text board.
import { $, h, clear, button } from "./dom.js";
import { emblem, glyph } from "./glyph.js";
import { bar, dieFace } from "./piece.js";
import { t } from "./strings.js";

const two = n => String(n).padStart(2, "0");
const clock = ms => { const s = Math.max(0, Math.round(ms / 1000)), m = Math.floor(s / 60); return `${m >= 60 ? `${Math.floor(m / 60)}:${two(m % 60)}` : m}:${two(s % 60)}`; };

// here: the seats whose players are connected, where that is known; around: clocks and who shares a view
export function drawSeats(root, scene, seats, here, around) {
	clear(root, seats.map(i => {
		const s = scene.seats[i], c = around.clock(i) || s.clock, decides = s.active && t("toDecide");
		return h(`div.seat.s${i}${s.active ? ".active" : ""}`, { "aria-label": s.aria || [s.name, s.side, decides].filter(Boolean).join(", "), role: "group" },
			h("span.turn", { title: decides }), emblem(s.charge, i), h("span.nm", s.name), here && !here.has(i) && h("span.off", t("away")), around.shares(i), h("span.sd", s.side),
			h("span.mks", Object.values(s.marks || {}).map(m => h("span", { title: m.label }, glyph(m.g), h("i", m.label)))),
			h("span.cts", Object.entries(s.counters || {}).map(([k, c]) => h(`span.ct${c.key ? ".key" : ""}`, { title: c.label, "data-ref": `c:${i}/${k}` }, glyph(c.g), h("b", c.v, c.max != null && h("i", "/" + c.max)), h("span.vh", c.label)))),
			c && h(`span.clk${c.run ? ".run" : ""}${c.ms < 30000 ? ".low" : ""}`, { role: "timer", "aria-label": t("clockOf", { name: s.name }) }, clock(c.ms)));
	}));
}

const tipLine = x => h("li", Array.isArray(x) ? [h("b", x[0] + " "), x[1]] : x);

export function drawInfo(root, scene, ref) {
	const [zid, slot] = (ref || "").split("#"), [id, half] = zid.split("/"), p = scene.pieces[id], zone = scene.zones[zid], area = zone?.geom.areas?.[slot];
	const draw = (cls, sign, title, sub, ...rest) => { root.className = "panel " + cls; clear(root, sign, h("h3", title), h("p.sub", sub), rest); };
	const tips = list => list?.length > 0 && h("ul.tips", list.map(tipLine));
	if (p) {
		const down = p.face === "down", end = p.ends?.[half], seat = p.owner ?? p.back?.seat ?? 9, row = (...kids) => h("span", kids);
		const rows = [...(down ? [] : [p.bar && row(bar(p.bar), h("b", `${p.bar.v}/${p.bar.max}`), p.bar.label || t("life")), p.dice?.length > 0 && row(h("span.dice", p.dice.map(d => dieFace(d, ".sm")))),
			...(p.stats || []).map(st => row(st.g && glyph(st.g), st.label || st.k, h("b", st.v)))]), ...(p.badges || []).map(b => b.label && row(b.g && glyph(b.g), b.label, b.n != null && h("b", b.n)))].filter(Boolean);
		draw("s" + seat, end ? h("span.ig.num", end.v) : down || p.art !== "plain" ? emblem(down ? scene.seats[seat]?.charge || "hood" : p.glyph, seat, { tier: (!down && p.tier) || 0, form: p.shape === "disc" ? "token" : "shield" }) : glyph(p.glyph, "g ig"),
			end ? end.label || `${p.title} ${end.v}` : down ? p.backTitle || t("faceDown") : p.title || p.label, [p.sub, p.tierLabel].filter(Boolean).join(" · ") || p.kind,
			rows.length > 0 && h("div.rows", rows), tips(end?.tip || p.tip), p.known && h("p.known", glyph("hood"), p.known));
	} else if (area) draw("s9", glyph(area.glyph || { forest: "pine-tree", village: "village", hill: "mountains", swamp: "swamp", interior: "church" }[area.terrain] || "grass", "g ig"), area.label, area.sub || area.terrain, tips(area.tip));
	else if (zone?.tip) draw("", null, zone.label, zone.note, tips(zone.tip));
	else { root.className = "panel empty"; clear(root, t("pointAt")); }
}

export function drawLog(root, scene) {
	const line = l => {
		if (l.k === "head") return h("div.hd", l.t);
		const body = [].concat(l.t).map(x => typeof x === "string" ? x : h("span.ref", { "data-ref": x.r }, x.t));
		return h(`div.ln.s${l.seat ?? 9}.k-${l.k || "line"}`, body);
	};
	const log = scene.log || [], n = root._n || 0, more = n && n <= log.length && log[n - 1] === root._last;      // same story so far: append only
	if (more && n === log.length) return;
	if (!more) clear(root);
	root.querySelector(".now")?.classList.remove("now");
	root.append(...log.slice(more ? n : 0).map(line));
	root.lastChild?.classList.add("now");
	root._n = log.length; root._last = log.at(-1);
	requestAnimationFrame(() => { root.scrollTop = root.scrollHeight; });
}

export const plainText = l => (l ? [].concat(l.t).map(x => x.t || x).join("") : "");

// The same Scene as headings and lists; for screen readers and for anybody who prefers text. `sets` are the refs that
// can be chosen now: they are buttons here too.
export function drawText(root, scene, sets, pick) {
	const at = root.contains(document.activeElement) ? document.activeElement.dataset.pick : null;
	clear(root, Object.values(scene.seats).map(s => [h("h2", `${s.name}, ${s.side}${s.active ? ` (${t("toDecide")})` : ""}`),
		h("ul", Object.values(s.counters || {}).map(c => h("li", `${c.label}: ${c.v}${c.max != null ? t("ofMax", { max: c.max }) : ""}`)), Object.values(s.marks || {}).map(m => h("li", m.label)))]));
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
	if (at) ($(`[data-pick="${CSS.escape(at)}"]`, root) || root).focus();
}
