// Maps: drawn ground under the pieces, seen through a camera that wheel, drag, pinch, keys and buttons move. Loaded when
// a table has a map.
import { $, button, clear, h, refOf, s, addStyle } from "./dom.js";
import { least } from "./board.js";
import { LAY, px } from "./geom.js";
import { groundOf } from "./ground.js";
import { hearCamera } from "./mapmoves.js";
import { cameras, layMap, viewOf } from "./mapgeom.js";
import { inline } from "./page.js";
import { Overview } from "./overview.js";
import { t } from "./strings.js";

/** @typedef {import("./board.js").Board} Board */
/** The drawn ground of a zone, and the data from which it was drawn. @typedef {ReturnType<typeof groundOf> & { of: string }} Ground */

/** The number of pixels by which a drawing exceeds a piece's rim: this part is cut only at the edge of the map. */
const OVER_PX = 24;
/** The factor by which one press of a button or key zooms. */
const STEP = 1.4;
/** Names of areas are shown if a unit of the map has this many pixels. */
const NAMED_PX = 66;
/** The size of an area's name in units of the map, if that is legible. */
const TAG = 0.115;
/** Below this scale a map is seen whole. */
const WHOLE = 1.01;
/** A revealed area lies at least this many tokens from the rim. */
const MARGIN = 1;

/** Settled once the style sheet of maps is loaded, or has failed to load. Before that, a lit area would be drawn black. @type {Promise<unknown>} */
export const styled = new Promise(done => {
	if (inline) {
		done(null);
	} else {
		addStyle({ href: "/css/map.css", onload: done, onerror: done });
	}
});

/** The part of a rectangle that lies outside another, as a clip path; "" for none. @param {Rect} r @param {Rect} inner @param {number} u */
function cutOf(r, inner, u) {
	const outside = [inner.y - r.y, r.x + r.w - inner.x - inner.w, r.y + r.h - inner.y - inner.h, inner.x - r.x];
	if (outside.every(over => over <= 0)) {
		return "";
	}
	const cuts = outside.map(over => `${over > 0 ? px(over * u) : -OVER_PX}px`);
	return `inset(${cuts.join(" ")})`;
}

/** @param {string} ref */
const zoneOf = ref => ref.split("#")[0];

export class Maps {
	/** @type {Map<string, Ground>} */
	grounds = new Map();
	/** The map in the large place, if several share it. @type {string | undefined} */
	front = undefined;
	/** The request for the next drawing of the table. */
	frame = 0;

	/** @param {Board} board */
	constructor(board) {
		this.board = board;
		LAY.map = layMap;
		this.controls = h("div.mapctl", { role: "group", "aria-label": t("map") });
		this.overview = new Overview(this);
		this.ring = s("path", { class: "lit lit-focus" });
		board.stage.append(this.controls, this.overview.root);
		board.stage.addEventListener("focusin", event => this.focused(refOf(event)));
		board.stage.addEventListener("focusout", () => this.ring.remove());
		hearCamera(this);
	}

	get views() {
		return this.board.geo.maps ?? new Map();
	}

	/** The map that keys and buttons move: the one that has the most room. */
	get main() {
		const all = [...this.views].sort(([, a], [, b]) => b.inner.w * b.inner.h - a.inner.w * a.inner.h);
		return all[0]?.[0] ?? "";
	}

	/** The Scene, in which the maps that share a place are arranged as the viewer has chosen. @param {Scene} scene @returns {Scene} */
	laid(scene) {
		const { front } = this;
		const under = front === undefined ? undefined : scene.zones[front]?.geom.over;
		if (front === undefined || !under) {
			return scene;
		}
		/** @param {Words.Layout} layout */
		const swapped = layout => ({
			...layout,
			at: { ...layout.at, [front]: layout.at[under], [under]: layout.at[front] },
		});
		const layouts = Object.entries(scene.layouts).map(([name, layout]) => [name, swapped(layout)]);
		return { ...scene, layouts: Object.fromEntries(layouts) };
	}

	/** Draws the ground, and cuts the parts that a camera does not see. @param {Scene} scene */
	draw(scene) {
		for (const zid of this.grounds.keys()) {
			if (!this.views.has(zid)) {
				this.grounds.get(zid)?.frame.remove();
				this.grounds.delete(zid);
			}
		}
		for (const [zid, view] of this.views) {
			this.drawGround(zid, view);
		}
		this.cutAll(scene);
		this.drawControls(scene);
		this.overview.draw();
	}

	/** @param {string} zid @param {MapView} view */
	drawGround(zid, view) {
		const { board } = this;
		const placed = [...board.geo.areas].filter(([ref]) => zoneOf(ref) === zid);
		const looks = placed.map(([, { a, poly, signs, edge }]) => [a.terrain, a.tag, a.glyph, poly, signs, edge]);
		const of = JSON.stringify(looks);
		let ground = this.grounds.get(zid);
		if (ground?.of !== of) {
			const drawn = { ...groundOf(zid, placed, view.z / (view.k * board.u)), of };
			ground?.frame.remove();
			board.ground.append(drawn.frame);
			this.grounds.set(zid, drawn);
			ground = drawn;
			for (const [ref, el] of drawn.elements) {
				board.nodes.set(`area:${ref}`, /** @type {HTMLElement} */ (/** @type {unknown} */ (el)));
			}
		}
		const { inner, seen } = view;
		const at = Object.entries({ x: inner.x, y: inner.y, width: inner.w, height: inner.h });
		at.forEach(([name, value]) => ground.frame.setAttribute(name, String(px(value * board.u))));
		ground.frame.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.w} ${seen.h}`);
		ground.frame.style.setProperty("--tag", `${Math.max(TAG, least() / (view.k * board.u))}px`);
		ground.frame.classList.toggle("zoomed", view.z > WHOLE);
		ground.frame.classList.toggle("far", view.k * board.u < NAMED_PX);
	}

	/** Cuts pieces and places at the rim of their map. @param {Scene} scene */
	cutAll({ pieces }) {
		const { geo, nodes } = this.board;
		for (const [id, r] of geo.pieces) {
			let p = pieces[id];
			while (p.on) {
				p = pieces[p.on];
			}
			this.cut(nodes.get(id), r, this.views.get(p.zone ?? ""));
		}
		for (const ref of geo.areas.keys()) {
			this.cut(nodes.get(`slot:${ref}`), /** @type {Rect} */ (geo.slots.get(ref)), this.views.get(zoneOf(ref)));
		}
	}

	/** @param {HTMLElement | undefined} el @param {Rect} r @param {MapView | undefined} view */
	cut(el, r, view) {
		const cut = view ? cutOf(r, view.inner, this.board.u) : "";
		if (el && (el._cut ?? "") !== cut) {
			el._cut = cut;
			el.style.clipPath = cut;
		}
	}

	/** @param {string} ref @param {string} cls */
	lightOf(ref, cls) {
		const el = this.grounds.get(zoneOf(ref))?.elements.get(ref);
		const line = el?.classList.contains("onedge") ? " onedge" : "";
		return el && s("path", { d: el.getAttribute("d"), class: `lit lit-${cls}${line}` });
	}

	/** Lights an area that can be chosen, is chosen, or is pointed at. @param {string} ref @param {string} name */
	light(ref, name) {
		const path = this.lightOf(ref, name);
		if (path) {
			this.grounds.get(zoneOf(ref))?.lights.append(path);
			this.overview.light(ref, path);
		}
	}

	unlight() {
		for (const { lights } of this.grounds.values()) {
			clear(lights);
		}
		this.overview.unlight();
	}

	/** Outlines the place that has the keyboard's focus, and brings it into sight. @param {string | undefined} ref */
	focused(ref) {
		if (!ref || !document.activeElement?.matches(":focus-visible")) {
			return;
		}
		const path = this.lightOf(ref, "focus");
		if (path) {
			this.ring.setAttribute("d", path.getAttribute("d") ?? "");
			this.grounds.get(zoneOf(ref))?.frame.append(this.ring);
		}
		this.reveal(ref);
	}

	/** Brings a ref into the camera's sight. @param {string} ref */
	reveal(ref) {
		const { geo } = this.board;
		const r = geo.pieces.get(ref) ?? geo.slots.get(ref);
		const zid = geo.areas.has(ref) ? zoneOf(ref) : (this.board.scene?.pieces[ref]?.zone ?? "");
		const view = this.views.get(zid);
		if (!r || !view) {
			return;
		}
		const { inner, seen, k, z } = view;
		const [x, y] = [r.x + r.w / 2 - inner.x, r.y + r.h / 2 - inner.y];
		const margin = r.w * MARGIN;
		if (x < margin || y < margin || x > inner.w - margin || y > inner.h - margin) {
			this.look(zid, { x: seen.x + x / k, y: seen.y + y / k, z });
		}
	}

	/** Moves a camera; the table is drawn again in the next frame. @param {string} zid @param {Camera} camera */
	look(zid, camera) {
		const view = this.views.get(zid);
		if (!view) {
			return;
		}
		const { cx, cy, z } = viewOf(view.g, view.inner, view.turn, camera);
		cameras.set(zid, { x: cx, y: cy, z });
		this.views.set(zid, viewOf(view.g, view.inner, view.turn, { x: cx, y: cy, z }));
		this.frame ||= requestAnimationFrame(() => this.again());
	}

	again() {
		const { board } = this;
		this.frame = 0;
		if (board.scene) {
			board.render(board.scene, { instant: true });
		}
	}

	/** Zooms around a point of the map, which stays at its place. @param {string} zid @param {number} factor @param {Point} [about] */
	zoom(zid, factor, about) {
		const view = this.views.get(zid);
		if (!view) {
			return;
		}
		const { cx, cy, z } = view;
		const [x, y] = about ?? [cx, cy];
		const next = viewOf(view.g, view.inner, view.turn, { x: cx, y: cy, z: z * factor }).z;
		this.look(zid, { x: x - (x - cx) * (z / next), y: y - (y - cy) * (z / next), z: next });
	}

	/** Moves the map by pixels. @param {string} zid @param {number} dx @param {number} dy */
	pan(zid, dx, dy) {
		const view = this.views.get(zid);
		if (view) {
			const k = view.k * this.board.u;
			this.look(zid, { x: view.cx - dx / k, y: view.cy - dy / k, z: view.z });
		}
	}

	/** @param {string} zid */
	isZoomed(zid) {
		return (this.views.get(zid)?.z ?? 1) > WHOLE;
	}

	/** The map at a point of the page, and the point in its units. @param {number} clientX @param {number} clientY @returns {[string, Point] | undefined} */
	at(clientX, clientY) {
		const { left, top } = this.board.stage.getBoundingClientRect();
		const { u } = this.board;
		const [x, y] = [(clientX - left) / u, (clientY - top) / u];
		for (const [zid, { inner, seen, k }] of this.views) {
			if (x >= inner.x && y >= inner.y && x <= inner.x + inner.w && y <= inner.y + inner.h) {
				return [zid, [seen.x + (x - inner.x) / k, seen.y + (y - inner.y) / k]];
			}
		}
		return undefined;
	}

	/** Buttons for people without a wheel: in the corner of the large map. @param {Scene} scene */
	drawControls(scene) {
		const zid = this.main;
		const view = this.views.get(zid);
		const layers = Object.keys(scene.zones).filter(id => scene.zones[id].geom.over && this.views.has(id));
		const of = JSON.stringify([zid, layers, this.front, view?.z]);
		this.controls.hidden = !view;
		if (!view) {
			return;
		}
		const { u } = this.board;
		const right = px((view.inner.x + view.inner.w) * u);
		this.controls.style.transform = `translate(${right}px,${px(view.inner.y * u)}px) translateX(-100%)`;
		if (this.controls._sig !== of) {
			this.controls._sig = of;
			const back = document.activeElement?.getAttribute("data-act");
			clear(this.controls, this.layerButtons(scene, layers), this.zoomButtons(zid, view.z));
			if (back) {
				$(`[data-act="${back}"]`, this.controls)?.focus();
			}
		}
	}

	/** @param {string} zid @param {number} z */
	zoomButtons(zid, z) {
		/** @type {[string, string, boolean, () => void][]} */
		const acts = [
			["−", "zoomOut", z < WHOLE, () => this.zoom(zid, 1 / STEP)],
			["+", "zoomIn", false, () => this.zoom(zid, STEP)],
			["⤢", "wholeMap", z < WHOLE, () => this.look(zid, { x: 0, y: 0, z: 1 })],
		];
		return acts.map(([sign, name, off, onclick]) => {
			const attrs = { "aria-label": t(name), title: t(name), "aria-disabled": off, "data-act": name, onclick };
			return button("", attrs, sign);
		});
	}

	/** One button for each map that shares the large place. @param {Scene} scene @param {string[]} layers */
	layerButtons(scene, layers) {
		const shown = layers.length ? [scene.zones[layers[0]].geom.over ?? "", ...layers] : [];
		return shown.map(zid => {
			const { label, aria } = scene.zones[zid];
			const pressed = zid === this.main;
			const attrs = { "aria-pressed": pressed, "data-act": zid, title: aria, onclick: () => this.bring(zid, layers) };
			return button(".layer", attrs, label || aria);
		});
	}

	/** Gives a map the large place. @param {string} zid @param {string[]} layers */
	bring(zid, layers) {
		this.front = layers.includes(zid) ? zid : undefined;
		this.again();
	}

	/** Zooms or moves by a key. @param {KeyboardEvent} event */
	byKey({ key, shiftKey }) {
		const zid = this.board.scene?.pieces[this.board.cursor]?.zone ?? zoneOf(this.board.cursor);
		const map = this.views.has(zid) ? zid : this.main;
		const view = this.views.get(map);
		const step = view ? (view.inner.w / 6) * this.board.u : 0;
		/** @type {Record<string, () => void>} */
		const acts = {
			"+": () => this.zoom(map, STEP),
			"=": () => this.zoom(map, STEP),
			"-": () => this.zoom(map, 1 / STEP),
			...(shiftKey && {
				ArrowLeft: () => this.pan(map, step, 0),
				ArrowRight: () => this.pan(map, -step, 0),
				ArrowUp: () => this.pan(map, 0, step),
				ArrowDown: () => this.pan(map, 0, -step),
			}),
		};
		acts[key]?.();
		return key in acts;
	}
}
