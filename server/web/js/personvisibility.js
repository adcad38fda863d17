// The viewers at one table who may know the person in a seat: chosen before sitting down, or at the table.
import { h } from "./dom.js";
import { hasAccount } from "./prefs.js";
import { t } from "./strings.js";

/** The default, as chosen on the page of the account. */
const ALWAYS = "";
const CHOICES = ["noted", "opponents", "everybody"];

/** The list of the possible viewers. @param {string[]} choices @param {string} now */
const list = (choices, now) =>
	/** @type {HTMLSelectElement} */ (
		h(
			"select",
			choices.map(value => h("option", { value, selected: value === now }, t(`shownTo.${value}`))),
		)
	);

/** A row that asks, before sitting down, which viewers may know the person; nothing if this browser has no account. */
export function shownRow() {
	const chosen = list([ALWAYS, ...CHOICES], ALWAYS);
	return { row: hasAccount() ? h("label.set", h("span", t("shownTo")), chosen) : null, now: () => chosen.value };
}

/** The list of the possible viewers, at the table. @param {string} now */
export function shownAtTable(now) {
	const chosen = list(CHOICES, CHOICES.includes(now) ? now : CHOICES[0]);
	return { row: h("label.set", h("span", t("shownTo")), chosen), now: () => chosen.value };
}
