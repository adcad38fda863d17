// Faces of pieces. The Scene says what a piece shows; size decides how much of it fits
// (level of detail 0..3), so the same card works at 200 px and at 28 px.
import { h, clear } from "./dom.js";
import { glyph, emblem } from "./glyph.js";
import { t } from "./strings.js";

const seatOf = p => p.owner ?? 9;

export function lod(shape, w, hgt) {
	if (shape === "card" || shape === "tile") {
		const land = w / hgt > 1.22;
		if (land) return w >= 150 && hgt >= 84 ? 3 : w >= 130 && hgt >= 50 ? 2 : w >= 46 ? 1 : 0;
		return hgt >= 150 && w >= 96 ? 3 : hgt >= 104 && w >= 70 ? 2 : hgt >= 48 && w >= 42 ? 1 : 0;
	}
	return w >= 56 ? 3 : w >= 36 ? 2 : w >= 22 ? 1 : 0;
}

export function dieFace(d, cls = "") {
	const el = h(`span.die${cls}.tn-${d.t || "white"}${d.st ? ".ds-" + d.st : ""}`, { title: d.label });
	if (d.f !== undefined) el.append(d.f === "" ? h("i.blank") : typeof d.f === "number" || /^\d+$/.test(d.f) ? h("b", d.f) : glyph(d.f));
	else if (d.g) el.append(glyph(d.g));
	return el;
}

const corner = (list, at) => {
	const mine = list.filter(b => (b.at || "tr") === at);
	return mine.length > 0 && h(`span.bdg.at-${at}`, mine.map(b => h(`i.b${b.tone ? ".tn-" + b.tone : ""}`, { title: b.label }, b.g && glyph(b.g), b.n)));
};

export function bar(b, tight) {
	if (!b) return false;
	const el = h(`span.bar${b.tone ? ".tn-" + b.tone : ""}`, { title: `${b.label || t("life")} ${b.v}${t("ofMax", { max: b.max })}` });
	if (b.max <= (tight ? 0 : 12)) for (let i = 0; i < b.max; i++) el.append(h(`i${i < b.v ? ".on" : ""}${b.warn && b.v <= b.warn ? ".low" : ""}`));
	else { el.classList.add("gauge"); el.append(h("i.on", { style: { width: (100 * b.v) / b.max + "%" } })); }
	return el;
}

const stat = st => h(`span.s${st.tone ? ".tn-" + st.tone : ""}${st.form ? "." + st.form : ""}`, { title: st.label || st.k },
	st.g ? glyph(st.g) : st.k ? h("i", st.k) : null, h("b", st.v));

function cardFace(p, L, land, fit, tight) {
	const stats = p.stats || [], full = L >= 2;
	const emb = p.art === "plain" ? h("span.plain", glyph(p.glyph, "g big")) : emblem(p.glyph, seatOf(p), { tier: p.tier || 0 });
	const take = stats[0]?.form === "box" && (land || L === 2) ? Math.min(fit, 7) : L === 3 ? (land ? 7 : 6) : land ? 4 : 3;
	const st = full && take > 0 && stats.length > 0 && h("span.st", stats.slice(0, take).map(stat));
	const di = full && p.dice?.length > 0 && h("span.dice", p.dice.map(d => dieFace(d, ".sm")));
	const hd = h("span.hd", p.title && h("span.nm", p.title), p.tier > 0 && h("span.tier", { title: p.tierLabel }, "◆".repeat(p.tier))), sub = p.sub && L === 3 && h("span.sub", p.sub);
	if (land && full) return [emb, h("span.inf", hd, sub, di, st, bar(p.bar, tight))];
	if (full) return [hd, sub, emb, di, st, bar(p.bar, tight)];
	return [emb, L === 1 && p.title && !p.mute && h("span.nm", p.short || p.title), bar(p.bar, !L || p.bar?.max > 8)];
}

function backFace(p, scene) {
	const seat = p.back?.seat ?? seatOf(p);
	return [h(`span.bk.s${seat}`, glyph(p.back?.g || scene.seats?.[seat]?.charge || "crown", "g big")), p.title && p.backTitle && h("span.nm", p.backTitle), bar(p.bar)];
}

function endsFace(p, id) {
	return p.ends.map((e, i) => h(`button.end.e${i}`, { type: "button", "data-ref": `${id}/${i}`, tabindex: "-1" }, h("span.vh", e.label || `${p.title || p.kind} ${e.v}`),
		h("span.v", { "aria-hidden": true }, e.v), e.g && glyph(e.g), e.note && h("span.nt", { "aria-hidden": true }, e.note)));
}

export function drawPiece(el, id, p, scene, w, hgt, host, fs) {
	const land = w / hgt > 1.22, L = lod(p.shape, w, hgt), thin = hgt < 64;
	const room = Math.max(0, (land ? w - hgt * .62 : w) - 2.3 * fs) / fs, narrow = room < 8.5;   // width for text, in em
	const fit = Math.min(8, Math.floor(room / 2.7) * (hgt / fs > 8.4 || !land ? 2 : 1)), tight = p.bar?.max * .84 > room;
	const { zone, slot, on, dock, rot, z, label, tip, known, ...shown } = p, sig = JSON.stringify([shown, L, land, host, fit, thin, narrow, tight]);
	if (el._sig === sig) return;         // it looks the same: untouched
	el._sig = sig;
	el.className = ["pc", p.shape, "k-" + p.kind, "s" + seatOf(p), "l" + L, land ? "land" : "port", p.face === "down" ? "down" : "up", p.face === "peek" && "st-veil", p.tone && "tn-" + p.tone, p.art === "plain" && "art-plain",
		p.ends && "two", host && "host", !(p.stats || p.dice || p.bar) && "bare", thin && "thin", narrow && "nar", ...(p.state || []).map(x => "st-" + x)].filter(Boolean).join(" ");
	const seat = seatOf(p), kids = p.face === "down" ? backFace(p, scene) : p.ends ? endsFace(p, id) : ({
		card: () => cardFace(p, L, land, fit, tight),
		tile: () => [h("span.pat", glyph(p.glyph, "g big")), L >= 1 && h("span.hd", h("span.nm", p.title), p.sub && L >= 2 && h("span.sub", p.sub))],
		disc: () => [emblem(p.glyph, seat, { form: "token", tier: p.tier || 0 }), L >= 1 && bar(p.bar)],
		flag: () => glyph(p.glyph || "flying-flag", "g big"),
	}[p.shape] || (() => [glyph(p.glyph, "g big"), p.n !== undefined && h("b.n", p.n)]))();
	clear(el, el._said, kids, p.badges && (L >= 1 || p.shape === "disc") && ["tl", "tr", "bl", "br"].map(at => corner(p.badges, at)), p.state?.includes("dead") && h("span.skull", glyph("skull-crossed-bones")));
	if (el._said) for (const kid of el.children) if (kid !== el._said) kid.ariaHidden = true; // the name says all of it
}
