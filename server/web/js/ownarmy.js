// Submitting a player's own army at a table: one that this browser keeps, or a file.
import { armiesOf, chosenArmy, chooseArmy } from "./armies.js";
import { button, dialogAt, h } from "./dom.js";
import { match } from "./page.js";
import { dialog, myMatches } from "./prefs.js";
import { t } from "./strings.js";

/** @typedef {import("./prompt.js").Prompt} Prompt */

/** @param {Prompt} prompt @param {Words.OwnFile} as @param {string | undefined} asked the prompt that it is for @param {unknown} army */
function hand(prompt, as, asked, army) {
	if (!asked || asked !== prompt.p?.id || !prompt.mine()) {
		return;
	}
	prompt.sent = true;
	prompt.refusal = "";
	prompt.api.answer(asked, { do: as.do, [as.as]: army });
	prompt.refresh();
}

/** @param {Prompt} prompt @param {Words.OwnFile} as */
function openFile(prompt, as) {
	const asked = prompt.p?.id;
	const input = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".json,application/json" }));
	input.addEventListener("change", async () => {
		let found;
		try {
			found = JSON.parse((await input.files?.[0].text()) ?? "");
		} catch {
			prompt.refused(t("noJson"));
			return;
		}
		hand(prompt, as, asked, found);
	});
	input.click();
}

/** Armies kept, the chosen one first; none if only a part of an army is asked for, such as its Parties. @param {string} game @param {string} chosen @param {string} asked the field of the choice */
const keptOf = (game, chosen, asked) =>
	armiesOf(game)
		.filter(army => !(asked in army))
		.sort((a, b) => Number(b.id === chosen) - Number(a.id === chosen));

/** A button that closes the dialog and does something. @param {string} kind @param {string} label @param {() => void} act */
function closing(kind, label, act) {
	const onclick = () => {
		dialogAt("#dialog").close();
		act();
	};
	return button(kind, { onclick }, label);
}

/**
 * Offers the armies kept, the chosen one first; if there are none, asks for the file at once.
 * @param {Prompt} prompt @param {Words.OwnFile} as @param {boolean} only only if one was chosen before the match
 */
export function offer(prompt, as, only) {
	const game = myMatches().find(held => held.match === match)?.game ?? "";
	const chosen = chosenArmy(game);
	const kept = keptOf(game, chosen, as.as);
	if (only && (!chosen || kept[0]?.id !== chosen)) {
		return;
	}
	if (!kept.length) {
		openFile(prompt, as);
		return;
	}
	const asked = prompt.p?.id;
	const rows = kept.map((army, i) =>
		closing(i || !chosen ? ".ghost" : ".go", t("handIn", { name: army.name }), () => {
			chooseArmy(game, "");
			hand(prompt, as, asked, army);
		}),
	);
	const other = closing(".ghost", t("openFile"), () => openFile(prompt, as));
	dialog(t("ownArmies"), h("div.pool", rows, other));
}
