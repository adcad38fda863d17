// The settings of one's own profile, on the page of the account.
import { button, h } from "./dom.js";
import { t } from "./strings.js";

const PARTS = ["ratings", "results", "matches"];
const AT_TABLE = ["unnoted", "noted", "opponents", "everybody"];

/** The choice of what the account does with a newly taken seat. @param {string} now */
const tableChoice = now =>
	h(
		"label.set",
		h("span", t("atTableWish")),
		h(
			"select",
			{ name: "at_table" },
			AT_TABLE.map(value => h("option", { value, selected: value === now }, t(`atTable.${value}`))),
		),
	);

/** @param {() => void} save @param {string} handle */
const acts = (save, handle) =>
	h(
		"p.acts",
		button(".ghost", { onclick: save }, t("saveProfile")),
		h("a.ghost", { href: `/ratings#p=${encodeURIComponent(handle)}` }, t("seeProfile")),
	);

/** @param {import("./account.js").Door} door @param {(act: () => Promise<unknown>) => Promise<void>} tried @param {Wire.AccountTold} account @param {(text: string) => void} say */
export async function profilePart(door, tried, { handle, at_table = "noted" }, say) {
	/** @type {[Wire.ProfileTold, Wire.Games]} */
	const [told, { games }] = await Promise.all([door.plain("profile", { handle }), door.plain("games")]);
	/** @param {string} name @param {string} value @param {string} label @param {string[]} on */
	const box = (name, value, label, on) =>
		h("label.set", h("input", { type: "checkbox", name, value, checked: on.includes(value) }), label);
	const boxes = PARTS.map(part => box("shows", part, t(`shows.${part}`), told.shows ?? []));
	const favourites = games.map(({ game, title }) => box("favourite", game, title, told.favourites ?? []));
	const frame = h("div.profile", boxes, h("fieldset", h("legend", t("favourites")), favourites), tableChoice(at_table));
	/** @param {string} name */
	const ticked = name =>
		/** @type {HTMLInputElement[]} */ ([...frame.querySelectorAll(`[name=${name}]:checked`)]).map(one => one.value);
	const save = () =>
		tried(async () => {
			await door.ask("show-profile", {
				shows: ticked("shows"),
				favourites: ticked("favourite"),
				at_table: /** @type {HTMLSelectElement} */ (frame.querySelector("[name=at_table]")).value,
			});
			say(t("profileSaved"));
		});
	return [h("h2", t("profile")), h("p.quiet", t("profileLead")), frame, acts(save, handle)];
}
