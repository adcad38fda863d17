// The board: one stage, three layers (drawn ground, slots, pieces) plus an overlay for arrows.
import { $, h, s, keyed, clear, play, reduced, button, refOf } from "./dom.js";
import { arrange, groupBy, pickLayout, neighbour, px } from "./geom.js";
import { drawPiece, LANDSCAPE } from "./piece.js";
import { t } from "./strings.js";
import { drawZone } from "./zones.js";

/** The marks of a place: to be chosen, chosen, pointed at, advised, not to be chosen now. @typedef {"can" | "sel" | "hint" | "adv" | "no"} Mark @type {Mark[]} */
const MARKS = ["can", "sel", "hint", "adv", "no"];
const GLIDE_MS = 420;
const APPEAR_MS = 240;
const LEAVE_MS = 260;
const DIE_MS = 700;
/** Pieces glide one after the other, unless many move. */
const STAGGER_MS = 40;
const MANY = 6;
/** The area in question is shown with this much of its surroundings. */
const NEAR_PX = 26;
/** A board within this distance of its goal is not moved. */
const STAYS_PX = 40;
const NARROW = matchMedia("(max-width: 700px)");

/** @param {number} lo @param {number} v @param {number} hi */
const clamp = (lo, v, hi) => Math.max(lo, Math.min(hi, v));

/** The least size of letters on this screen, in pixels; styles have the same value as `--least`. */
export const least = () => (NARROW.matches ? 12 : 11);

/**
 * The size of a piece's letters, in pixels.
 * @param {Words.Piece} p @param {number} w @param {number} hgt @param {number} u pixels of a board unit
 */
function letters(p, w, hgt, u) {
	const most = Math.max(15, u * 1.3);
	if (p.shape !== "card") {
		return clamp(least(), hgt * 0.2, most);
	}
	if (w / hgt <= LANDSCAPE) {
		return clamp(least(), w * 0.112, most);
	}
	const high = hgt >= 100;
	if (p.dice) {
		const wanted = clamp(least(), hgt * (high ? 0.106 : 0.118), most);
		return Math.max(least(), Math.min((w - hgt * 0.64 - 16) / 8.1, wanted));
	}
	return high ? clamp(least(), Math.min(hgt * 0.15, w * 0.056), most) : clamp(least(), hgt * 0.152, 13);
}

/** A piece, and a half of it if the ref names one; names of places may contain a `/`. @param {string} ref */
const halfOf = ref => (ref.includes("#") ? [ref] : ref.split("/"));

/** A piece that moves: its element, its former and its new transform. @typedef {{ el: HTMLElement, was: string | null, now: string }} Move */
/** @typedef {{ id: string, r: PlacedPiece, p: Words.Piece, key: string }} ShownPiece */

export class Board {
	/** Elements by ref, which has "slot:", "zone:" or "area:" before it unless it is a piece. @type {Map<string, HTMLElement>} */
	nodes = new Map();
	/** The place where each piece was drawn, as a transform. @type {Map<string, string>} */
	last = new Map();
	/** @type {Element[]} */
	marked = [];
	/** The pieces that a lesson or a page points at. @type {Set<string>} */
	pointed = new Set();
	/** @type {RefSets} */
	marks = {};
	/** The arrow of the option that is pointed at. @type {Arrow | null} */
	hot = null;
	/** The animation of a dying piece, once it is loaded. @type {Keyframe[] | undefined} */
	dying = undefined;
	/** Whether a draft lies on the board. */
	drafted = false;
	speed = 1;
	/** The ref that has the keyboard's focus. */
	cursor = "";
	/** Whether a long press or a drag has just ended: the click after it is ignored. */
	pressed = false;
	instant = false;
	/** @type {Scene | undefined} */
	scene = undefined;
	/** @type {Arrangement} */
	geo = { size: [1, 1], zones: new Map(), slots: new Map(), pieces: new Map(), areas: new Map() };
	/** The pixels of a board unit. */
	u = 1;
	/** The board's own size in pixels. */
	bw = 0;
	bh = 0;
	layout = "";
	sized = "";
	/** The drawer of maps, once there is a map. @type {import("./maps.js").Maps | undefined} */
	maps = undefined;

	/** @param {HTMLElement} root @param {BoardEvents} on */
	constructor(root, on) {
		this.root = root;
		this.on = on;
		this.stage = $(".stage", root);
		this.ground = this.layer("ground");
		this.zones = this.layer("zones");
		this.slots = this.layer("slots");
		this.pieces = this.layer("pieces");
		this.over = this.layer("over");
		this.fx = this.layer("fx");
		this.links = $("g", this.over);
		this.hear();
		new ResizeObserver(() => this.resized()).observe(root);
	}

	/** @param {string} name */
	layer(name) {
		return $(`.${name}`, this.stage);
	}

	hear() {
		const { stage, on } = this;
		stage.addEventListener("pointerover", event => event.pointerType === "mouse" && on.hover(refOf(event)));
		stage.addEventListener("pointerleave", () => on.hover(null));
		stage.addEventListener("focusin", event => this.focused(refOf(event)));
		stage.addEventListener("click", event => this.clicked(refOf(event), event));
		stage.addEventListener("contextmenu", event => {
			const ref = refOf(event);
			if (ref) {
				event.preventDefault();
				on.read(ref);
			}
		});
		stage.addEventListener("keydown", event => this.key(event));
	}

	/** @param {string | undefined} ref */
	focused(ref) {
		if (ref) {
			this.cursor = ref;
			this.on.focus(ref);
		}
	}

	/** @param {string | undefined} ref @param {MouseEvent} event */
	clicked(ref, event) {
		if (this.pressed) {
			this.pressed = false;
		} else {
			this.on.pick(this.meant(ref) || null, /** @type {PointerEvent} */ (event).pointerType === "touch");
		}
	}

	/** The target of a press: for a piece that cannot be chosen, its area if the area can be chosen. @param {string | undefined} ref */
	meant(ref = "") {
		const { can } = this.marks;
		const p = this.scene?.pieces[ref];
		const area = `${p?.zone}#${p?.slot}`;
		return !can?.has(ref) && can?.has(area) && this.geo.areas.has(area) ? area : ref;
	}

	resized() {
		this.measure();
		if (this.scene) {
			this.render(this.scene, { instant: true });
			this.on.resized();
		}
	}

	/** The only place where the layout is read. */
	measure() {
		this.bw = this.root.clientWidth;
		this.bh = this.root.clientHeight;
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (!event.key.startsWith("Arrow") || !this.cursor) {
			return;
		}
		const from = this.rect(this.cursor);
		/** @type {[string, Rect][]} */
		const all = [...this.stage.querySelectorAll("button[data-ref]")].flatMap(b => {
			const ref = b.getAttribute("data-ref") ?? "";
			const r = this.rect(ref);
			return r ? [/** @type {[string, Rect]} */ ([ref, r])] : [];
		});
		const to = from && neighbour(from, event.key, all);
		if (to) {
			event.preventDefault();
			this.focus(to);
		}
	}

	/** The element of a ref. @param {string} [ref] @returns {HTMLElement | null | undefined} */
	node(ref = "") {
		const [id, end] = halfOf(ref);
		if (end) {
			return this.nodes.get(id)?.querySelector(`.e${end}`);
		}
		const found = ["", "slot:", "zone:", "area:"].find(kind => this.nodes.get(kind + ref));
		return found === undefined ? undefined : this.nodes.get(found + ref);
	}

	/** @param {string} ref */
	focus(ref) {
		const node = this.node(ref);
		if (node) {
			node.tabIndex = 0;
			node.focus();
		}
	}

	/** The place of a ref on the stage, in pixels. @param {string | undefined} ref @returns {Rect | null} */
	rect(ref) {
		if (!ref) {
			return null;
		}
		const { geo, u } = this;
		const [base, end] = halfOf(ref);
		const r = geo.pieces.get(base) || geo.slots.get(ref) || geo.zones.get(ref);
		if (!r) {
			return null;
		}
		// an end of a card is one half of it
		const height = end ? r.h / 2 : r.h;
		const below = end === "1" ? height : 0;
		return { x: r.x * u, y: (r.y + below) * u, w: r.w * u, h: height * u };
	}

	/** @param {Scene} scene @param {{ instant?: boolean }} [how] without animation */
	render(scene, { instant = false } = {}) {
		this.scene = scene;
		this.instant = instant;
		if (!this.bw) {
			this.measure();
		}
		if (!this.bw || !this.bh) {
			return;
		}
		this.layOut(scene);
		this.drawZones(scene);
		this.drawSlots(scene);
		const moves = this.drawPieces(scene);
		this.drawMaps(scene);
		this.drawLinks(scene);
		this.mark();
		if (!instant && !reduced()) {
			this.glide(moves);
		}
	}

	/** Finds where everything lies, and gives the stage its size. @param {Scene} scene */
	layOut(scene) {
		const { bw, bh } = this;
		this.layout = pickLayout(scene, bw, bh);
		this.stage.dataset.layout = this.layout;
		this.geo = arrange(this.maps?.laid(scene) ?? scene, this.layout);
		const [w, hgt] = this.geo.size;
		this.u = this.layout === "tall" ? bw / w : Math.min(bw / w, bh / hgt);
		this.resize(px(w * this.u), px(hgt * this.u));
	}

	/** Gives the stage its size. @param {number} w @param {number} hgt */
	resize(w, hgt) {
		const sized = `${w} ${hgt}`;
		if (this.sized === sized) {
			return;
		}
		this.sized = sized;
		Object.assign(this.stage.style, { width: `${w}px`, height: `${hgt}px` });
		this.stage.style.setProperty("--u", `${this.u}px`);
		for (const svg of [this.over, this.ground]) {
			svg.setAttribute("viewBox", `0 0 ${sized}`);
		}
	}

	/** Puts an element at a rectangle; returns its transform. @param {HTMLElement} el @param {Rect} r @param {number} [rot] */
	place(el, r, rot = 0) {
		const { u } = this;
		const turned = rot ? ` rotate(${rot}deg)` : "";
		const transform = `translate(${px(r.x * u)}px,${px(r.y * u)}px)${turned}`;
		Object.assign(el.style, { width: `${px(r.w * u)}px`, height: `${px(r.h * u)}px`, transform });
		return transform;
	}

	/** Notes an element under its ref. @param {string} name @param {HTMLElement} el */
	keep(name, el) {
		this.nodes.set(name, el);
		return el;
	}

	/** @param {Scene} scene */
	drawZones(scene) {
		const list = [...this.geo.zones].map(([id, r]) => ({ id, r }));
		keyed(
			this.zones,
			list,
			({ id }) => this.keep(`zone:${id}`, h("div.zone", { "data-ref": id })),
			(el, { id, r }) => drawZone(this, el, scene, id, r),
		);
	}

	/** Loads the module that draws and moves maps, and lets it do so. @param {Scene} scene */
	drawMaps(scene) {
		if (this.maps) {
			this.maps.draw(scene);
		} else if (Object.values(scene.zones).some(zone => zone.geom.type === "map")) {
			import("./maps.js").then(async ({ Maps, styled }) => {
				await styled;
				this.maps ??= new Maps(this);
				this.resized();
			});
		}
	}

	/** @param {Scene} scene */
	drawSlots(scene) {
		const { areas, slots } = this.geo;
		const shown = [...slots].filter(([id]) => scene.zones[id.split("#")[0]].slots || areas.has(id));
		const list = shown.map(([id, r]) => ({ id, r }));
		keyed(
			this.slots,
			list,
			({ id }) => this.keep(`slot:${id}`, button(".slot", { "data-ref": id, tabindex: "-1" })),
			(el, { id, r }) => this.updateSlot(el, scene, id, r),
		);
	}

	/** @param {HTMLElement} el @param {Scene} scene @param {string} id @param {Rect} r */
	updateSlot(el, scene, id, r) {
		const [zone, key] = id.split("#");
		const area = this.geo.areas.get(id)?.a;
		const place = scene.zones[zone].slots?.[key] || area;
		const short = place?.short || "";
		this.place(el, r);
		el.classList.toggle("at-area", Boolean(area));
		el.ariaLabel = [place?.aria || place?.label || key, short].filter(Boolean).join(", ");
		if (!area && el.textContent !== short) {
			el.textContent = short;
		}
	}

	/** @param {Scene} scene @returns {Move[]} */
	drawPieces(scene) {
		/** @type {Move[]} */
		const moves = [];
		const list = [...this.geo.pieces].map(([id, r]) => {
			const p = scene.pieces[id];
			// with ends it is a group of buttons, not one
			return { id, r, p, key: p.ends ? `${id}/` : id };
		});
		const hosts = groupBy(
			list.filter(({ p }) => p.on),
			({ p }) => p.on ?? "",
		);
		keyed(
			this.pieces,
			list,
			shown => this.makePiece(shown),
			(el, shown) => {
				const move = this.updatePiece(el, shown, scene, hosts.get(shown.id));
				if (move) {
					moves.push(move);
				}
			},
		);
		return moves;
	}

	/** @param {ShownPiece} shown */
	makePiece({ id, p }) {
		const attrs = { "data-ref": id };
		const el = p.ends ? h("div.pc", { ...attrs, role: "group" }) : button(".pc", { ...attrs, tabindex: "-1" });
		if (!p.ends) {
			el._said = h("span.vh");
		}
		el._new = true;
		el._leave = () => this.leave(id, el);
		return this.keep(id, el);
	}

	/** Lets a piece's element fade out. @param {string} id @param {HTMLElement} el */
	leave(id, el) {
		if (this.nodes.get(id) === el) {
			this.nodes.delete(id);
			this.last.delete(id);
		}
		el.inert = true;
		el.classList.add("bye");
		if (this.instant || reduced()) {
			el.remove();
		} else {
			const dies = el.matches(".k-unit, .k-leader, .k-troop, .disc:not(.s9)") && this.dying;
			const frames = dies || [{ opacity: 1 }, { opacity: 0, scale: ".82" }];
			play(el, frames, dies ? DIE_MS / (this.speed || 1) : LEAVE_MS).then(() => el.remove());
		}
	}

	/**
	 * Draws a piece at its present place; unchanged pieces cost nothing.
	 * @param {HTMLElement} el @param {ShownPiece} shown @param {Scene} scene @param {ShownPiece[]} [docked] what hangs on it
	 * @returns {Move | null} the piece's move, if it moved or is new
	 */
	updatePiece(el, { id, r, p }, scene, docked) {
		const w = r.w * this.u;
		const hgt = r.h * this.u;
		const fs = letters(p, w, hgt, this.u);
		// what hangs over the edge of a card lies on the cards beside it
		const z = r.z + (p.z || 0) + (p.badges?.length ? 1 : 0);
		const over = docked?.map(each => (each.r.y < r.y + r.h / 3 ? r.x + r.w - each.r.x : 0)) ?? [];
		const cut = Math.max(0, ...over) * this.u;
		drawPiece(el, id, p, scene, { w, h: hgt, fs, host: docked !== undefined, cut });
		this.tell(el, p.label || p.title || p.kind);
		const box = [w, hgt, r.x * this.u, r.y * this.u, r.rot, p.rot, z].map(v => px(v || 0)).join();
		if (el._box === box) {
			return null;
		}
		el._box = box;
		el.style.setProperty("--w", `${px(w)}px`);
		el.style.setProperty("--h", `${px(hgt)}px`);
		Object.assign(el.style, { fontSize: `${px(fs)}px`, zIndex: z });
		const was = this.last.get(id) ?? null;
		const now = this.place(el, r, (r.rot || 0) + (p.rot || 0));
		this.last.set(id, now);
		const moved = was ? was !== now : el._new;
		el._new = false;
		return moved ? { el, was, now } : null;
	}

	/** Gives a piece's element its name. @param {HTMLElement} el @param {string} name */
	tell(el, name) {
		if (el._name === name) {
			return;
		}
		el._name = name;
		if (el._said) {
			el._said.textContent = name;
		} else {
			el.ariaLabel = name;
		}
	}

	/** Animates moves by FLIP, without measuring: both transforms are already known. @param {Move[]} moves */
	glide(moves) {
		const many = moves.filter(move => move.was).length > MANY;
		moves.forEach(({ el, was, now }, i) => {
			const delay = many ? 0 : i * STAGGER_MS;
			if (!was) {
				const frames = [
					{ opacity: 0, scale: ".9" },
					{ opacity: 1, scale: "1" },
				];
				play(el, frames, APPEAR_MS, { delay, fill: "backwards" });
				return;
			}
			el.classList.add("lift");
			const frames = [{ transform: was }, { transform: now }];
			const easing = "cubic-bezier(.3,.9,.3,1)";
			play(el, frames, GLIDE_MS / (this.speed || 1), { delay, easing, fill: "backwards" }).then(() =>
				el.classList.remove("lift"),
			);
		});
	}

	/** @param {Scene} scene */
	drawLinks(scene) {
		clear(this.links);
		for (const link of Object.values(scene.links || {})) {
			this.link(link, `ln-${link.tone || "ink"}`);
		}
		if (this.hot) {
			this.link(this.hot, "ln-hint");
		}
	}

	/** Draws an arrow from one ref to another. @param {Arrow} arrow @param {string} cls */
	link({ from, to }, cls) {
		const a = this.rect(from);
		const b = this.rect(to);
		if (!a || !b) {
			return null;
		}
		const path = s("path", { class: `link ${cls}`, d: curve(a, b), "marker-end": "url(#tip)" });
		this.links.append(path);
		return /** @type {SVGPathElement} */ (path);
	}

	/** Marks the refs that can be chosen, are chosen, or are pointed at. @param {RefSets} sets */
	mark(sets = this.marks) {
		this.marks = sets;
		this.unmark();
		/** @type {Partial<Record<Mark, Set<string>>>} */
		const every = { can: sets.can, sel: sets.sel, hint: sets.hint, adv: sets.adv, no: barred(sets, this.scene) };
		for (const name of MARKS) {
			for (const ref of every[name] || []) {
				this.markRef(ref, name);
			}
		}
		for (const ref of sets.can || []) {
			const node = this.node(ref);
			if (node?.tagName === "BUTTON") {
				node.ariaDescription = sets.why?.get(ref) || t("canChoose");
				node.tabIndex = 0;
			}
		}
		for (const ref of this.pointed) {
			this.maps?.light(ref, "meant");
		}
		this.stage.classList.toggle("choosing", Boolean(sets.can?.size));
		this.keepReachable();
	}

	/**
	 * Scrolls a board that is higher than its place to the subject of the question, and in any case to the piece that acts. The
	 * viewer's pieces come first; as much of the field above the subject is shown as there is room for. The board does not move by
	 * small distances.
	 * @param {string} [actor]
	 */
	showAsked(actor) {
		const { root, scene } = this;
		const field = this.rect("field");
		const home = field ?? this.rect("map");
		const low = home ? Math.max(0, home.y + home.h + NEAR_PX - root.clientHeight) : 0;
		const can = [...(this.marks.can ?? [])];
		// cards stand in the list too: for them a map is not left, nor a field for those that lie for everybody
		const isNear = (/** @type {string} */ ref) => !home || this.isOn(ref, home);
		const near = can.filter(isNear);
		const own = (field ? can : near).filter(ref => scene?.pieces[halfOf(ref)[0]]?.owner === scene?.viewer.seat);
		const rects = (own.length ? own : near).flatMap(ref => this.rect(ref) ?? []);
		const isHome = field || (can.length > 0 && (!rects.length || root.scrollTop > low));
		if (home && isHome && Math.abs(root.scrollTop - low) > STAYS_PX) {
			root.scrollTop = low;
		}
		const top = Math.min(...rects.map(r => r.y)) - NEAR_PX;
		const bottom = Math.max(...rects.map(r => r.y + r.h)) + NEAR_PX;
		const lowest = root.scrollTop + root.clientHeight;
		if (rects.length && (top < root.scrollTop || bottom > lowest)) {
			const isLow = top >= root.scrollTop && bottom - top <= root.clientHeight;
			root.scrollTop = isLow ? bottom - root.clientHeight : top;
		}
		this.showActor(actor);
	}

	/** Scrolls only as far as is necessary to show a piece. @param {string | undefined} ref */
	showActor(ref) {
		const { root } = this;
		const r = this.rect(ref);
		if (r) {
			root.scrollTop = clamp(r.y + r.h + NEAR_PX - root.clientHeight, root.scrollTop, r.y - NEAR_PX);
		}
	}

	/** Whether the middle of a ref lies within a rectangle, in pixels. @param {string} ref @param {Rect} box */
	isOn(ref, { x, y, w, h: high }) {
		const r = this.rect(ref);
		const at = r && { x: r.x + r.w / 2, y: r.y + r.h / 2 };
		return Boolean(at && at.x >= x && at.x <= x + w && at.y >= y && at.y <= y + high);
	}

	/** Draws rings around these refs; an area is lit at its rim. @param {Set<string>} refs */
	point(refs) {
		for (const ref of refs) {
			const node = this.node(ref);
			if (node && !node.classList.contains("meant")) {
				node.classList.add("meant");
			}
		}
		if ([...refs].join() !== [...this.pointed].join()) {
			this.pointed = refs;
			this.mark();
		}
	}

	/** Ensures that the keyboard reaches at least one piece. */
	keepReachable() {
		const first = this.stage.querySelector("[tabindex='0']") ? null : $(".pc", this.pieces);
		if (first) {
			first.tabIndex = 0;
		}
	}

	unmark() {
		for (const el of /** @type {HTMLElement[]} */ (this.marked)) {
			el.classList.remove(...MARKS);
			el.ariaDescription = null;
			if (el !== document.activeElement) {
				el.tabIndex = -1;
			}
		}
		this.marked = [];
		this.maps?.unlight();
	}

	/** @param {string} ref @param {Mark} name */
	markRef(ref, name) {
		const area = this.nodes.get(`area:${ref}`);
		for (const el of [this.node(ref), area]) {
			if (el) {
				el.classList.add(name);
				this.marked.push(el);
			}
		}
		this.maps?.light(ref, name);
	}
}

/** Pieces that cannot be chosen, although they belong to the same player as those that can, and lie in places like theirs. @param {RefSets} sets @param {Scene | undefined} scene */
function barred({ can, sel }, scene) {
	const all = Object.entries(scene?.pieces ?? {});
	/** @param {Words.Piece} p */
	const like = p => `${p.kind} ${p.owner} ${scene?.zones[p.zone ?? ""]?.geom.type}`;
	const chosen = new Set([...(can ?? []), ...(sel ?? [])].map(ref => halfOf(ref)[0]));
	const kinds = new Set(all.filter(([id]) => can?.has(id)).map(([, p]) => like(p)));
	/** @param {PieceEntry} entry */
	const isBarred = ([id, p]) => kinds.has(like(p)) && !chosen.has(id) && !chosen.has(p.same ?? "") && !p.state?.length;
	return new Set(all.filter(isBarred).map(([id]) => id));
}

/** The path of an arrow between two rectangles, from edge to edge. @param {Rect} a @param {Rect} b */
function curve(a, b) {
	const ax = a.x + a.w / 2;
	const ay = a.y + a.h / 2;
	const bx = b.x + b.w / 2;
	const by = b.y + b.h / 2;
	const dx = bx - ax;
	const dy = by - ay;
	const length = Math.hypot(dx, dy) || 1;
	/** The distance from the middle to the edge. @param {Rect} r @param {number} k */
	const cut = (r, k) => {
		const across = r.w / 2 / (Math.abs(dx) / length || 1e-6);
		const up = r.h / 2 / (Math.abs(dy) / length || 1e-6);
		return Math.min(across, up) * k;
	};
	const start = cut(a, 0.55);
	const end = cut(b, 0.62);
	const from = `${px(ax + (dx / length) * start)} ${px(ay + (dy / length) * start)}`;
	const bend = `${px((ax + bx) / 2 - dy * 0.08)} ${px((ay + by) / 2 + dx * 0.08)}`;
	const to = `${px(bx - (dx / length) * end)} ${px(by - (dy / length) * end)}`;
	return `M${from}Q${bend} ${to}`;
}
