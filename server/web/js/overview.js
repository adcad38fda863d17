// The whole map in a corner while a part of it is seen: the place of that part, the units, the possible choices. A
// press on it moves the camera there.
import { clear, h, s } from "./dom.js";
import { px } from "./geom.js";
import { t } from "./strings.js";

/** @typedef {import("./maps.js").Maps} Maps */

/** The overview's size as a share of the map, and its greatest width. */
const SHARE = 0.26;
const MOST_PX = 190;
/** The size of a unit's dot, in sizes of a token. */
const DOT = 0.42;

export class Overview {
	/** The data that the ground was drawn from. */
	of = "";

	/** @param {Maps} maps */
	constructor(maps) {
		this.maps = maps;
		this.ground = s("g", null);
		this.lights = s("g", null);
		this.dots = s("g", null);
		this.frame = s("rect", { class: "ovframe" });
		this.svg = s("svg", { "aria-hidden": true }, this.ground, this.lights, this.dots, this.frame);
		this.root = h("div.mapover", { title: t("overview") }, this.svg);
		this.hear();
	}

	hear() {
		const { root } = this;
		/** @param {PointerEvent} event */
		const go = event => {
			const { left, top, width, height } = this.svg.getBoundingClientRect();
			const { main, views } = this.maps;
			const view = views.get(main);
			if (view) {
				const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
				this.maps.look(main, { x: view.whole.x + x * view.whole.w, y: view.whole.y + y * view.whole.h, z: view.z });
			}
		};
		root.addEventListener("pointerdown", event => {
			root.setPointerCapture(event.pointerId);
			go(event);
		});
		root.addEventListener("pointermove", event => event.buttons && go(event));
	}

	/** Draws the map that is the largest now, unless all of it is seen. */
	draw() {
		const { maps } = this;
		const view = maps.views.get(maps.main);
		this.root.hidden = !view || !maps.isZoomed(maps.main);
		if (!view || this.root.hidden) {
			return;
		}
		const { whole, seen } = view;
		this.svg.setAttribute("viewBox", `${whole.x} ${whole.y} ${whole.w} ${whole.h}`);
		this.place(view);
		this.drawGround(maps.main);
		this.drawDots(view);
		const at = { x: seen.x, y: seen.y, width: seen.w, height: seen.h };
		Object.entries(at).forEach(([name, value]) => this.frame.setAttribute(name, String(value)));
	}

	/** Places the overview in the lower left corner of its map. @param {MapView} view */
	place({ inner, whole }) {
		const { u } = this.maps.board;
		const w = Math.min(inner.w * u * SHARE, MOST_PX);
		const high = (w * whole.h) / whole.w;
		const [x, y] = [inner.x * u, (inner.y + inner.h) * u - high];
		const transform = `translate(${px(x)}px,${px(y)}px)`;
		Object.assign(this.root.style, { width: `${px(w)}px`, height: `${px(high)}px`, transform });
	}

	/** @param {string} zid */
	drawGround(zid) {
		const ground = this.maps.grounds.get(zid);
		if (!ground || this.of === zid + ground.of) {
			return;
		}
		this.of = zid + ground.of;
		const areas = [...ground.elements.values()].filter(el => !el.classList.contains("onedge"));
		const drawn = areas.map(el => s("path", { d: el.getAttribute("d"), style: { fill: el.style.fill } }));
		clear(this.ground, drawn);
	}

	/** @param {MapView} view */
	drawDots({ inner, seen, k, g }) {
		const { scene, geo } = this.maps.board;
		const zid = this.maps.main;
		const dots = [...geo.pieces].flatMap(([id, r]) => {
			const p = scene?.pieces[id];
			if (!p || p.zone !== zid || p.mark) {
				return [];
			}
			const at = { cx: seen.x + (r.x + r.w / 2 - inner.x) / k, cy: seen.y + (r.y + r.h / 2 - inner.y) / k };
			return [s("circle", { ...at, r: (g.unit ?? 0.5) * DOT, class: `ovdot s${p.owner ?? 9}` })];
		});
		clear(this.dots, dots);
	}

	/** @param {string} ref @param {SVGElement} path */
	light(ref, path) {
		if (ref.startsWith(`${this.maps.main}#`)) {
			this.lights.append(path.cloneNode());
		}
	}

	unlight() {
		clear(this.lights);
	}
}
