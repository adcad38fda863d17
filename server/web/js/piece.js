// Faces of pieces. The Scene says what a piece shows; size decides how much of it fits
// (level of detail 0..3), so the same card works at 200 px and at 28 px.
import { h } from "./dom.js";
import { glyph, emblem } from "./glyph.js";
import { t } from "./strings.js";

const seatOf = p => (p.owner === undefined ? 9 : p.owner);

export function lod(shape, w, hgt) {
	if (shape === "card" || shape === "tile") {
		const land = w / hgt > 1.22;
		if (land) return w >= 150 && hgt >= 84 ? 3 : w >= 96 && hgt >= 50 ? 2 : w >= 46 ? 1 : 0;
		return hgt >= 150 && w >= 96 ? 3 : hgt >= 104 && w >= 70 ? 2 : hgt >= 48 && w >= 42 ? 1 : 0;
	}
	return w >= 56 ? 3 : w >= 36 ? 2 : w >= 22 ? 1 : 0;
}

export function dieFace(d, cls = "") {
	const el = h(`span.die${cls}.tn-${d.t || "white"}${d.st ? ".ds-" + d.st : ""}`, { title: d.label });
	if (d.f !== undefined) el.append(d.f === "" ? h("i.blank") : typeof d.f === "number" || /^\d+$/.test(d.f) ? h("b", String(d.f)) : glyph(d.f));
	else if (d.g) el.append(glyph(d.g));
	return el;
}

const corner = (list, at) => {
	const mine = list.filter(b => (b.at || "tr") === at);
	return mine.length ? h(`span.bdg.at-${at}`, mine.map(b =>
		h(`i.b${b.tone ? ".tn-" + b.tone : ""}${b.n !== undefined ? ".num" : ""}`, { title: b.label }, b.g ? glyph(b.g) : null, b.n !== undefined ? String(b.n) : null))) : null;
};

export function bar(b, cls = "", tight) {
	if (!b) return null;
	const el = h(`span.bar${cls}${b.tone ? ".tn-" + b.tone : ""}`, { title: `${b.label || t("life")} ${b.v}${t("ofMax", { max: b.max })}` });
	if (b.max <= (tight ? 0 : 12)) for (let i = 0; i < b.max; i++) el.append(h(`i${i < b.v ? ".on" : ""}${b.warn && b.v <= b.warn ? ".low" : ""}`));
	else { el.classList.add("gauge"); el.append(h("i.on", { style: { width: (100 * b.v) / b.max + "%" } })); }
	return el;
}

const stat = st => h(`span.s${st.tone ? ".tn-" + st.tone : ""}${st.form ? "." + st.form : ""}`, { title: st.label || st.k },
	st.g ? glyph(st.g) : st.k ? h("i", st.k) : null, h("b", String(st.v)));

function cardFace(p, L, land, fit, room) {
	const up = [];
	const stats = p.stats || [], dice = p.dice || [];
	const emb = p.art === "plain" ? h("span.plain", glyph(p.glyph, "g big")) : emblem(p.glyph, seatOf(p), { tier: p.tier || 0 });
	const nm = p.title && h("span.nm", p.title);
	const tier = p.tier ? h("span.tier", { title: p.tierLabel }, "◆".repeat(p.tier)) : null;
	const boxed = stats[0]?.form === "box";
	const take = L < 2 ? 0 : boxed && (land || L === 2) ? Math.min(fit, 7) : L === 3 ? (land ? 7 : 6) : land ? 4 : 3;
	const tight = p.bar?.max * .84 > room;
	const st = take && stats.length ? h("span.st", stats.slice(0, take).map(stat)) : null;
	const di = dice.length && L >= 2 ? h("span.dice", dice.map(d => dieFace(d, ".sm"))) : null;
	const hd = h("span.hd", nm, tier);
	const sub = p.sub && L === 3 ? h("span.sub", p.sub) : null;
	if (land && L >= 2) up.push(emb, h("span.inf", hd, sub, di, st, bar(p.bar, "", tight)));
	else if (L >= 2) up.push(hd, sub, emb, di, st, bar(p.bar, "", tight));
	else if (L === 1) up.push(emb, p.title && !p.mute ? h("span.nm", p.short || p.title) : null, bar(p.bar, "", p.bar?.max > 8));
	else up.push(emb, bar(p.bar, "", true));
	return up;
}

function backFace(p, scene) {
	const seat = p.back?.seat ?? p.owner ?? 9;
	const g = p.back?.g || scene.seats?.[seat]?.charge || "crown";
	return [h(`span.bk.s${seat}`, glyph(g, "g big")), p.title && p.backTitle ? h("span.nm", p.backTitle) : null, bar(p.bar)];
}

function endsFace(p, id) {
	return p.ends.map((e, i) => h(`button.end.e${i}`, { type: "button", "data-ref": `${id}/${i}`, tabindex: "-1", "aria-label": e.label || `${p.title || p.kind} ${e.v}` },
		h("span.v", String(e.v)), e.g ? glyph(e.g) : null, e.note ? h("span.nt", e.note) : null));
}

// What changes how a face looks; unchanged signature = untouched DOM.
export const signature = (p, L, land, host) => JSON.stringify([host, p.shape, p.face, p.glyph, p.art, p.title, p.short, p.mute, p.sub, p.tier, p.stats, p.dice, p.bar, p.badges, p.owner, p.back, p.ends, p.n, p.tone, p.state, p.backTitle, L, land]);

export function drawPiece(el, id, p, scene, w, hgt, host, fs) {
	const land = w / hgt > 1.22, L = lod(p.shape, w, hgt);
	const room = Math.max(0, (land ? w - hgt * .62 : w) - 2.3 * fs) / fs;   // width for text, in em
	const fit = Math.floor(room / 2.7) * (hgt / fs > 8.4 || !land ? 2 : 1);
	const sig = signature(p, L, land, host + "|" + Math.min(8, fit) + "|" + (room < 9));
	if (el._sig === sig) return;
	el._sig = sig;
	const st = (p.state || []).map(x => "st-" + x).join(" ");
	el.className = `pc ${p.shape} k-${p.kind || "x"} s${seatOf(p)} l${L} ${land ? "land" : "port"} ${p.face === "down" ? "down" : "up"} ${p.face === "peek" ? "st-veil" : ""} ${p.tone ? "tn-" + p.tone : ""} ${p.art === "plain" ? "art-plain" : ""} ${p.ends ? "two" : ""} ${host ? "host" : ""} ${p.stats || p.dice || p.bar ? "" : "bare"} ${hgt < 64 ? "thin" : ""} ${room < 8.5 ? "nar" : ""} ${st} ${el._mark || ""}`;
	el.textContent = "";
	let kids;
	if (p.face === "down") kids = backFace(p, scene);
	else if (p.ends) kids = endsFace(p, id);
	else if (p.shape === "card") kids = cardFace(p, L, land, fit, room);
	else if (p.shape === "tile") kids = [h("span.pat", glyph(p.glyph, "g big")), L >= 1 ? h("span.hd", h("span.nm", p.title), p.sub && L >= 2 ? h("span.sub", p.sub) : null) : null];
	else if (p.shape === "disc") kids = [emblem(p.glyph, seatOf(p), { form: "token", tier: p.tier || 0 }), p.bar && L >= 1 ? bar(p.bar) : null];
	else if (p.shape === "flag") kids = [glyph(p.glyph || "flying-flag", "g big")];
	else kids = [glyph(p.glyph, "g big"), p.n !== undefined ? h("b.n", String(p.n)) : null];
	for (const k of [kids].flat(2)) if (k) el.append(k);
	const b = p.badges || [];
	if (b.length && (L >= 1 || p.shape === "disc")) for (const at of ["tl", "tr", "bl", "br"]) { const c = corner(b, at); if (c) el.append(c); }
	if (p.state?.includes("dead")) el.append(h("span.skull", glyph("skull-crossed-bones")));
}
