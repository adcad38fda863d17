// What the own profile shows, on the page of the account.
import { button, h } from "./dom.js";
import { t } from "./strings.js";

const PARTS = ["ratings", "results", "matches"];

/** @param {() => void} save @param {string} handle */
const acts = (save, handle) =>
	h(
		"p.acts",
		button(".ghost", { onclick: save }, t("saveProfile")),
		h("a.ghost", { href: `/ratings#p=${encodeURIComponent(handle)}` }, t("seeProfile")),
	);

/** @param {import("./account.js").Door} door @param {(act: () => Promise<unknown>) => Promise<void>} tried @param {string} handle @param {(text: string) => void} say */
export async function profilePart(door, tried, handle, say) {
	/** @type {[Wire.ProfileTold, Wire.Games]} */
	const [told, { games }] = await Promise.all([door.plain("profile", { handle }), door.plain("games")]);
	/** @param {string} name @param {string} value @param {string} label @param {string[]} on */
	const box = (name, value, label, on) =>
		h("label.set", h("input", { type: "checkbox", name, value, checked: on.includes(value) }), label);
	const boxes = PARTS.map(part => box("shows", part, t(`shows.${part}`), told.shows ?? []));
	const favourites = games.map(({ game, title }) => box("favourite", game, title, told.favourites ?? []));
	const frame = h("div.profile", boxes, h("fieldset", h("legend", t("favourites")), favourites));
	/** @param {string} name */
	const ticked = name =>
		/** @type {HTMLInputElement[]} */ ([...frame.querySelectorAll(`[name=${name}]:checked`)]).map(one => one.value);
	const save = () =>
		tried(async () => {
			await door.ask("show-profile", { shows: ticked("shows"), favourites: ticked("favourite") });
			say(t("profileSaved"));
		});
	return [h("h2", t("profile")), h("p.quiet", t("profileLead")), frame, acts(save, handle)];
}
