// No press chooses what was not there when it began, nor a moment before.
/** A control that has just changed ignores presses for so long: a press is meant for the control that was there before. */
const DEAF_MS = 250;

/**
 * Lets no press choose what is newer.
 * @param {HTMLElement} root @param {() => unknown} shown what can be pressed there now @param {HTMLElement} [drawn] what is drawn anew with it
 */
function deafen(root, shown, drawn = root) {
	let was = shown();
	let since = -DEAF_MS;
	let began = 0;
	/** When what is shown there came. */
	const look = () => {
		const now = shown();
		since = now === was ? since : performance.now();
		was = now;
		return since;
	};
	/** @param {MouseEvent} event */
	const end = event => {
		// a key presses at once
		if (event.detail && began < look() + DEAF_MS) {
			event.stopPropagation();
			event.preventDefault();
		}
	};
	new MutationObserver(look).observe(drawn, { childList: true, subtree: true });
	root.addEventListener("pointerdown", ({ timeStamp }) => (began = timeStamp), true);
	root.addEventListener("click", end, true);
}

/** Controls that others, the clock or a choice have just exchanged cannot be pressed by accident. @param {import("./view.js").View} view */
export function hearNoHaste({ board, prompt }) {
	const rows = () => [...prompt.root.querySelectorAll(".opt")].map(row => row.getAttribute("data-o"));
	deafen(prompt.root, () => [prompt.p?.id, ...rows()].join());
	// the board may stay as it is where another question is asked
	deafen(board.stage, () => `${prompt.p?.id} ${prompt.armed}`, prompt.root);
}
