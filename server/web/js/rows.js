// Rows of the rules that a page names lead to them.

/** @param {import("./rulebook.js").Rulebook} book */
export function hearRows(book) {
	/** @param {Event} event */
	const open = ({ target }) => {
		const row = /** @type {Element} */ (target).closest("[data-rid]")?.getAttribute("data-rid");
		if (row) {
			book.open(row);
		}
	};
	document.addEventListener("click", open);
	document.addEventListener("keydown", event => {
		if (event.key === "Enter" && /** @type {Element} */ (event.target).matches("[data-rid]")) {
			open(event);
		}
	});
}
