// What is to be put somewhere is dragged there: from the prompt, where it lies in the hand, to its place on the board.
import { h } from "./dom.js";

const DRAG_PX = 10;

/** @typedef {import("./view.js").View} View */
/** A drag that goes on: the item, where it began, what follows the pointer. */
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
		// a finger scrolls here: it taps what it takes, then the place
		const item = event.pointerType === "mouse" && view.prompt.mine() ? itemOf(view, event) : undefined;
		drag = item ? { id: item.id, at: [event.clientX, event.clientY], shown: null } : null;
	});
	addEventListener("pointermove", event => drag && follow(view, drag, event));
	addEventListener("pointerup", event => {
		const { id, shown } = drag ?? {};
		drag = null;
		if (id && shown) {
			shown.remove();
			drop(view, event);
		}
	});
}

/** @param {View} view @param {Drag} drag @param {PointerEvent} event */
function follow({ prompt }, drag, { clientX, clientY }) {
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

/** Puts what is held on the place under the pointer; elsewhere it stays in the hand. @param {View} view @param {PointerEvent} event */
function drop({ prompt }, { clientX, clientY }) {
	const ref = document.elementFromPoint(clientX, clientY)?.closest("[data-ref]")?.getAttribute("data-ref");
	// the click that follows would let go of it
	addEventListener("click", event => event.stopPropagation(), { capture: true, once: true });
	setTimeout(() => ref && prompt.pick(ref));
}
