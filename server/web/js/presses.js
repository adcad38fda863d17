// A long press reads a card instead of choosing it; a drag chooses where it begins, then where it ends.
import { refOf } from "./dom.js";

const LONG_PRESS_MS = 480;
const DRAG_PX = 10;

/** @typedef {import("./board.js").Board} Board */
/** A press that goes on: the ref it began at, where that was, and the wait until it is a long one. */
/** @typedef {{ from: string | null, at: number[], timer: number | undefined }} Press */

/** The ref of what lies at a point of the page. @param {PointerEvent} event */
function refAt(event) {
	const el = document.elementFromPoint(event.clientX, event.clientY);
	return el?.closest("[data-ref]")?.getAttribute("data-ref");
}

/** @param {Board} board */
export function hearPresses(board) {
	const { stage } = board;
	/** @type {Press} */
	const press = { from: null, at: [0, 0], timer: undefined };
	stage.addEventListener("pointerdown", event => {
		end(board, press);
		begin(board, press, event);
	});
	stage.addEventListener("pointermove", event => move(board, press, event));
	stage.addEventListener("pointerup", event => {
		const { from } = press;
		const dragged = stage.classList.contains("dragging");
		end(board, press);
		if (dragged && from) {
			drop(board, from, refAt(event));
		}
	});
	stage.addEventListener("pointercancel", () => end(board, press));
}

/** @param {Board} board @param {Press} press */
function end(board, press) {
	clearTimeout(press.timer);
	if (press.from) {
		board.stage.classList.remove("dragging");
	}
	press.from = null;
}

/** A press becomes a drag where what it began at can be chosen, and is no ground: that moves with its map. @param {Board} board @param {Press} press @param {PointerEvent} event */
function move(board, { from, at, timer }, event) {
	if (!from || Math.hypot(event.clientX - at[0], event.clientY - at[1]) < DRAG_PX) {
		return;
	}
	clearTimeout(timer);
	if (board.marks.can?.has(from) && !board.geo.areas.has(from)) {
		board.stage.classList.add("dragging");
	}
}

/** @param {Board} board @param {Press} press @param {PointerEvent} event */
function begin(board, press, event) {
	const ref = event.button ? null : (refOf(event) ?? null);
	board.pressed = false;
	press.from = ref;
	press.at = [event.clientX, event.clientY];
	if (ref && event.pointerType !== "mouse") {
		press.timer = setTimeout(() => {
			board.pressed = true;
			end(board, press);
			board.on.read(ref);
		}, LONG_PRESS_MS);
	}
}

/** @param {Board} board @param {string} from @param {string | null | undefined} to */
function drop(board, from, to) {
	if (!to || to === from) {
		return;
	}
	// no click follows
	board.pressed = true;
	setTimeout(() => {
		board.pressed = false;
	});
	if (board.on.pick(from)) {
		board.on.pick(to);
	}
}
