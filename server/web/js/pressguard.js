// No press chooses a control that was not there when the press began, nor a moment before.
/** A control that has just changed ignores presses for this long: a press is meant for the control that was there before. */
const DEAF_MS = 250;

/**
 * Prevents a press from choosing a control that has only just appeared.
 * @param {HTMLElement} root @param {() => unknown} shown what can be pressed there now @param {HTMLElement} [drawn] what is drawn anew with it
 */
function deafen(root, shown, drawn = root) {
	let was = shown();
	let since = -DEAF_MS;
	let began = 0;
	/** The time at which the present content came. */
	const look = () => {
		const now = shown();
		since = now === was ? since : performance.now();
		was = now;
		return since;
	};
	/** @param {MouseEvent} event */
	const end = event => {
		// a key acts at once
		if (event.detail && began < look() + DEAF_MS) {
			event.stopPropagation();
			event.preventDefault();
		}
	};
	new MutationObserver(look).observe(drawn, { childList: true, subtree: true });
	root.addEventListener("pointerdown", ({ timeStamp }) => (began = timeStamp), true);
	root.addEventListener("click", end, true);
}

/** Prevents accidental presses on controls that other players, the clock or a choice have just exchanged. @param {import("./view.js").View} view */
export function hearNoHaste({ board, prompt }) {
	const rows = () => [...prompt.root.querySelectorAll(".opt")].map(row => row.getAttribute("data-o"));
	deafen(prompt.root, () => [prompt.p?.id, ...rows()].join());
	// the board may stay the same under another question
	deafen(board.stage, () => `${prompt.p?.id} ${prompt.armed}`, prompt.root);
}
