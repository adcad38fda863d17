// Opens the rules at the row whose id is pressed on a page.

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
