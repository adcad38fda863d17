// How a map is moved: wheel, drag, two fingers, keys.
import { isMeant } from "./shortcuts.js";

/** @typedef {import("./maps.js").Maps} Maps */
/** A mouse that is pressed on a map: where it was last, and whether the map follows. */
/** @typedef {{ zid: string, x: number, y: number, moves: boolean }} Grip */

const DRAG_PX = 5;
/** How much a turn of the wheel zooms; a pinch on a touchpad comes as small turns with Ctrl. */
const WHEEL = 0.0016;
const PINCH = 0.012;

/** Whether an event belongs to an element over the map. @param {Event} event */
const isOver = event => Boolean(/** @type {HTMLElement} */ (event.target).closest?.(".mapctl,.mapover"));

/** @param {Maps} maps */
export function hearCamera(maps) {
	const { stage } = maps.board;
	stage.addEventListener("wheel", event => turn(maps, event), { passive: false });
	hearMouse(maps, stage);
	hearFingers(maps, stage);
	const hear = (/** @type {KeyboardEvent} */ event) => {
		if (maps.main && !event.ctrlKey && isMeant(event) && maps.byKey(event)) {
			event.preventDefault();
			event.stopPropagation();
		}
	};
	addEventListener("keydown", hear, true);
}

/** The wheel zooms about the pointer; if nothing can be zoomed, the page gets the event. @param {Maps} maps @param {WheelEvent} event */
function turn(maps, event) {
	const found = isOver(event) ? undefined : maps.at(event.clientX, event.clientY);
	if (!found || (event.deltaY > 0 && !maps.isZoomed(found[0]))) {
		return;
	}
	event.preventDefault();
	maps.zoom(found[0], Math.exp(-event.deltaY * (event.ctrlKey ? PINCH : WHEEL)), found[1]);
}

/** @param {Maps} maps @param {HTMLElement} stage */
function hearMouse(maps, stage) {
	/** @type {Grip | undefined} */
	let grip;
	stage.addEventListener("pointerdown", event => {
		const found = isOver(event) || event.button || event.pointerType === "touch" ? undefined : gripAt(maps, event);
		grip = found;
	});
	addEventListener("pointermove", event => {
		if (grip) {
			drag(maps, grip, event);
		}
	});
	addEventListener("pointerup", () => {
		if (grip?.moves) {
			letGo(maps);
		}
		grip = undefined;
	});
}

/** A press that may move the map; a press on a piece that can be chosen drags the piece instead. @param {Maps} maps @param {PointerEvent} event @returns {Grip | undefined} */
function gripAt(maps, { clientX, clientY, target }) {
	const [zid] = maps.at(clientX, clientY) ?? [];
	const piece = /** @type {HTMLElement} */ (target).closest?.(".pc.can");
	return zid && !piece && maps.isZoomed(zid) ? { zid, x: clientX, y: clientY, moves: false } : undefined;
}

/** @param {Maps} maps @param {Grip} grip @param {PointerEvent} event */
function drag(maps, grip, { clientX, clientY }) {
	const [dx, dy] = [clientX - grip.x, clientY - grip.y];
	if (!grip.moves && Math.hypot(dx, dy) < DRAG_PX) {
		return;
	}
	grip.moves = true;
	maps.board.stage.classList.add("panning");
	maps.pan(grip.zid, dx, dy);
	Object.assign(grip, { x: clientX, y: clientY });
}

/** The click that ends a drag chooses nothing. @param {Maps} maps */
function letGo({ board }) {
	board.stage.classList.remove("panning");
	board.pressed = true;
	setTimeout(() => {
		board.pressed = false;
	});
}

/** The middle of the fingers, and their distance. @param {TouchList} touches */
function spread(touches) {
	const [a, b = a] = touches;
	return {
		n: touches.length,
		x: (a.clientX + b.clientX) / 2,
		y: (a.clientY + b.clientY) / 2,
		apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
	};
}

/** @typedef {ReturnType<typeof spread>} Spread */

/**
 * Two fingers zoom and move; one finger moves a map that is not seen whole, and otherwise scrolls the table. Returns
 * the place of the fingers now, if the map follows them.
 * @param {Maps} maps @param {TouchEvent} event @param {Spread | undefined} last
 */
function follow(maps, event, last) {
	const now = spread(event.touches);
	const [zid, about] = (isOver(event) ? undefined : maps.at(now.x, now.y)) ?? [];
	if (!zid || (now.n < 2 && !maps.isZoomed(zid))) {
		return undefined;
	}
	event.preventDefault();
	if (last?.n === now.n) {
		maps.pan(zid, now.x - last.x, now.y - last.y);
		maps.zoom(zid, now.apart / last.apart, about);
	}
	return now;
}

/** @param {Maps} maps @param {HTMLElement} stage */
function hearFingers(maps, stage) {
	/** @type {Spread | undefined} */
	let last;
	const move = (/** @type {TouchEvent} */ event) => {
		last = follow(maps, event, last);
	};
	stage.addEventListener("touchmove", move, { passive: false });
	for (const kind of /** @type {const} */ (["touchstart", "touchend", "touchcancel"])) {
		stage.addEventListener(kind, ({ touches }) => {
			last = touches.length ? spread(touches) : undefined;
		});
	}
}
