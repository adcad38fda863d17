// A long press reads a card instead of choosing it; a drag chooses where it begins, then where it ends. A piece to be put
// somewhere can also be dragged there from the prompt, where it is in the hand.
import { h, refOf } from "./dom.js";

const LONG_PRESS_MS = 480;
const DRAG_PX = 10;

/** @typedef {import("./board.js").Board} Board */
/** A press under way: the ref where it began, its position, and the wait until it is a long one. */
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

/** Begins a drag if the ref of the press can be chosen and is not ground; a drag of the ground moves the map. @param {Board} board @param {Press} press @param {PointerEvent} event */
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

/** @typedef {import("./view.js").View} View */
/** A drag under way: the item, its origin, and the element that follows the pointer. */
/** @typedef {{ id: string, at: [number, number], shown: HTMLElement | null }} Drag */

/** The item of an assignment that an event is about. @param {View} view @param {PointerEvent} event */
function itemOf({ prompt }, event) {
	const row = /** @type {HTMLElement} */ (event.target).closest?.("[data-o]");
	const [field, id] = (row?.getAttribute("data-o") ?? "").split("|");
	const f = prompt.fields().find(x => x.id === field && x.type === "assign");
	return f?.items?.find(item => item.id === id);
}

/** @param {View} view */
export function hearChips(view) {
	const { root } = view.prompt;
	/** @type {Drag | null} */
	let drag = null;
	root.addEventListener("pointerdown", event => {
		// a finger scrolls here: it taps the item, then the place
		const item = event.pointerType === "mouse" && view.prompt.mine() ? itemOf(view, event) : undefined;
		drag = item ? { id: item.id, at: [event.clientX, event.clientY], shown: null } : null;
	});
	addEventListener("pointermove", event => drag && followChip(view, drag, event));
	addEventListener("pointerup", event => {
		const { id, shown } = drag ?? {};
		drag = null;
		if (id && shown) {
			shown.remove();
			dropChip(view, event);
		}
	});
}

/** @param {View} view @param {Drag} drag @param {PointerEvent} event */
function followChip({ prompt }, drag, { clientX, clientY }) {
	if (!drag.shown && Math.hypot(clientX - drag.at[0], clientY - drag.at[1]) < DRAG_PX) {
		return;
	}
	if (!drag.shown) {
		const label = prompt
			.fields()
			.flatMap(f => f.items ?? [])
			.find(item => item.id === drag.id)?.label;
		drag.shown = h("span.dragged", label);
		document.body.append(drag.shown);
		if (prompt.held !== drag.id) {
			prompt.hold(drag.id);
		}
	}
	drag.shown.style.translate = `${clientX}px ${clientY}px`;
}

/** Puts the held item on the place under the pointer; elsewhere it stays in the hand. @param {View} view @param {PointerEvent} event */
function dropChip({ prompt }, { clientX, clientY }) {
	const ref = document.elementFromPoint(clientX, clientY)?.closest("[data-ref]")?.getAttribute("data-ref");
	// otherwise the click that follows would let go of the item
	addEventListener("click", event => event.stopPropagation(), { capture: true, once: true });
	setTimeout(() => ref && prompt.pick(ref));
}
