// Before the first rated match in this browser: how ratings are made, and the cost of leaving.
import { $, button, h } from "./dom.js";
import { dialog, prefs, setPref } from "./prefs.js";
import { t } from "./strings.js";

const SAID = ["ratedResult", "ratedLeaving", "ratedOpen", "ratedKey"];

/** The facts to know, as a list. */
export const ratedSaid = () =>
	h(
		"ul.said",
		SAID.map(key => h("li", t(key))),
	);

/** Asks once whether the player wants to play rated, and says what that means; gives the answer. @returns {Promise<boolean>} */
export function isAgreed() {
	if (prefs.rated) {
		return Promise.resolve(true);
	}
	const shown = dialog(t("ratedFirst"), ratedSaid());
	return new Promise(resolve => {
		const agree = () => {
			setPref("rated", true);
			shown.close("agreed");
		};
		shown.addEventListener("close", () => resolve(shown.returnValue === "agreed"), { once: true });
		shown.returnValue = "";
		$("footer", shown).replaceChildren(
			button(".go", { onclick: agree }, t("playRated")),
			button(".ghost", { onclick: () => shown.close("") }, t("notNow")),
		);
	});
}
