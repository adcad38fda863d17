// What has just changed is deaf for a moment: a press is meant for what stood there when it began, and before that.

const DEAF_MS = 250;

/** Lets no press choose what is newer. @param {HTMLElement} root @param {() => unknown} shown what can be pressed there now */
export function deafen(root, shown) {
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
	new MutationObserver(look).observe(root, { childList: true, subtree: true, characterData: true });
	root.addEventListener("pointerdown", ({ timeStamp }) => (began = timeStamp), true);
	root.addEventListener("click", end, true);
}
