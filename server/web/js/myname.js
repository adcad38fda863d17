// Asks for the player's name at the table, once in this browser.
import { $, h } from "./dom.js";
import { dialog, read, setPref } from "./prefs.js";
import { t } from "./strings.js";

/** Asks once for the player's name. @param {() => void} then @param {() => void} [left] called if no name is given */
export function whenNamed(then, left = () => {}) {
	if (read("name", null) !== null) {
		then();
		return;
	}
	const field = /** @type {HTMLInputElement} */ (
		h("input", { type: "text", maxlength: 32, autocomplete: "nickname", placeholder: t("anonymous") })
	);
	const shown = dialog(t("yourName"), h("label.set", h("span", t("nameSeen")), field));
	let go = left;
	$("form", shown).onsubmit = () => {
		setPref("name", field.value.trim());
		go = then;
	};
	shown.addEventListener("close", () => go(), { once: true });
	$(".go", shown).textContent = t("toTable");
}
