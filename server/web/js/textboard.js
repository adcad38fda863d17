// The same Scene as headings and lists; for screen readers and for anybody who prefers text.
import { $, h, clear, button, addStyle } from "./dom.js";
import { inline } from "./page.js";
import { t } from "./strings.js";

if (!inline) {
	addStyle({ href: "/css/textboard.css" });
}

/** Writes a label, as a button if its ref can be chosen. @typedef {(ref: string, label: Kid) => Kid} Chosen */

/** @param {Words.Counter} c */
const counterText = c => `${c.label}: ${c.v}${c.max != null ? t("ofMax", { max: c.max }) : ""}`;

/** @param {Words.Plate} s */
function plateText(s) {
	const decides = s.active ? ` (${t("toDecide")})` : "";
	const counters = Object.values(s.counters || {}).map(c => h("li", counterText(c)));
	const marks = Object.values(s.marks || {}).map(mark => h("li", mark.label));
	return [h("h2", `${s.name}, ${s.side}${decides}`), h("ul", counters, marks)];
}

/** A piece with what hangs on it. @param {Scene} scene @param {Chosen} chosen @param {string} id @param {Words.Piece} p */
function pieceText(scene, chosen, id, p) {
	const hanging = Object.entries(scene.pieces).filter(([, other]) => other.on === id);
	const more = hanging.map(([name, other]) => ["; ", chosen(name, other.label || other.title)]);
	const ends = (p.ends || []).map((e, i) => ["; ", chosen(`${id}/${i}`, e.label)]);
	return [chosen(id, p.label || p.title), ends, more];
}

/** @param {Kid[]} list */
const joined = list => list.map((kid, i) => [i ? ", " : "", kid]);

/** @param {PieceEntry} entry */
const slotOf = ([, p]) => Number(p.slot ?? 0);

/** The pieces in a zone, by its places if it has any. @param {Scene} scene @param {Chosen} chosen @param {string} zid */
function piecesText(scene, chosen, zid) {
	const mine = Object.entries(scene.pieces).filter(([, p]) => p.zone === zid && !p.on);
	const { geom, slots } = scene.zones[zid];
	/** @type {Record<string, { label: string, aria?: string }> | undefined} */
	const places = geom.areas ? { ...geom.areas, ...geom.edges } : slots;
	if (!places) {
		const sorted = mine.sort((a, b) => slotOf(a) - slotOf(b));
		return sorted.map(([id, p]) => pieceText(scene, chosen, id, p));
	}
	return Object.entries(places).map(([key, place]) => {
		const there = mine.filter(([, p]) => String(p.slot) === key);
		const pieces = there.map(([id, p]) => pieceText(scene, chosen, id, p));
		return [chosen(`${zid}#${key}`, place.aria || place.label), ": ", there.length ? joined(pieces) : t("empty")];
	});
}

/** @param {Meter} meter */
const meterText = meter => (meter.v === "" ? meter.label : `${meter.label}: ${meter.v}`);

/** @param {Words.Group} group */
function groupText(group) {
	const dice = group.dice.map(d => d.label || d.f).join(", ");
	return [group.label, group.label ? ": " : "", dice, group.sum ? `, ${group.sum}` : "", "; "];
}

/** @param {Scene} scene @param {Chosen} chosen @param {string} zid */
function zoneText(scene, chosen, zid) {
	const zone = scene.zones[zid];
	const { count, items = {}, marks = {}, roll } = zone.geom;
	const meters = [...Object.values(items), ...Object.values(marks)];
	/** @type {Kid[]} */
	const lines = [...piecesText(scene, chosen, zid)];
	if (count !== undefined) {
		lines.push(t("cards", { n: count }));
	}
	lines.push(...meters.map(meterText));
	if (roll) {
		lines.push([roll.title, ": ", roll.groups.map(groupText), roll.result || ""]);
	}
	const list = lines.map(line => h("li", line));
	return list.length ? [h("h2", chosen(zid, zone.aria || zone.label)), h("ul", list)] : [];
}

/**
 * @param {HTMLElement} root @param {Scene} scene
 * @param {RefSets} sets the refs that can be chosen now: they are buttons here too
 * @param {(ref: string) => void} pick
 */
export function drawText(root, scene, sets, pick) {
	const focused = /** @type {HTMLElement | null} */ (document.activeElement);
	const at = root.contains(focused) ? focused?.dataset.pick : null;
	/** @type {Chosen} */
	const chosen = (ref, label) =>
		sets.can?.has(ref)
			? button(`.tpick${sets.sel?.has(ref) ? ".on" : ""}`, { "data-pick": ref, onclick: () => pick(ref) }, label)
			: label;
	clear(root, Object.values(scene.seats).map(plateText));
	for (const [zid, zone] of Object.entries(scene.zones)) {
		if (zone.label || zone.aria) {
			root.append(...zoneText(scene, chosen, zid));
		}
	}
	if (at) {
		($(`[data-pick="${CSS.escape(at)}"]`, root) || root).focus();
	}
}
