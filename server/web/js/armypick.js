// Choosing a card: a dialog that lists those of a field, the draft's own group first.
import { $, button, clear, dialogAt, h } from "./dom.js";
import { groupBy } from "./geom.js";
import { t } from "./strings.js";

/**
 * The cards to choose from. `own`: the group that is listed openly; `pressed`: ids chosen already, if several may be chosen;
 * `first`: other acts, with their labels; `choose` returns the new pressed ids if the dialog stays open.
 * @typedef {{
 *   title: string, cards: Builder.Card[], groups: Record<string, string>, own: string[], pressed?: string[],
 *   first?: [string, () => void][], choose: (id: string) => string[] | void
 * }} Choosing
 */

const frame = dialogAt("#pick");

/** @param {Builder.Card} card @param {string[] | undefined} pressed @param {(id: string) => void} choose */
function cardRow(card, pressed, choose) {
	const on = pressed?.includes(card.id);
	const attrs = { "aria-pressed": pressed ? Boolean(on) : null, "data-card": card.id, onclick: () => choose(card.id) };
	const does = card.does.slice(1).join(" ");
	const said = h("span.ol", h("span.lb", card.name), h("span.sb", `${card.does[0]} ${does}`));
	return button(`.opt${on ? ".on" : ""}`, attrs, said, h("span.oe", card.end));
}

/** @param {string} name @param {Builder.Card[]} cards @param {boolean} open @param {(card: Builder.Card) => HTMLElement} row */
function groupOf(name, cards, open, row) {
	const kinds = [...groupBy(cards, card => card.kind)].map(([kind, all]) => [
		h("h3.grp", kind),
		h("div.opts", all.map(row)),
	]);
	return h("details", { open }, h("summary", `${name} (${cards.length})`), kinds);
}

/** @param {Choosing} of @returns {(id: string) => void} */
const choosing = of => id => {
	const pressed = of.choose(id);
	if (pressed) {
		const opened = [...frame.querySelectorAll("details")].map(d => d.open);
		draw({ ...of, pressed });
		frame.querySelectorAll("details").forEach((d, i) => (d.open = opened[i]));
		/** @type {HTMLElement | null} */ (frame.querySelector(`[data-card="${CSS.escape(id)}"]`))?.focus();
	} else {
		frame.close();
	}
};

/** @param {Choosing} of */
function draw(of) {
	const top = frame.scrollTop;
	const choose = choosing(of);
	const own = /** @param {string} group */ group => of.own.includes(group);
	const groups = [...groupBy(of.cards, card => card.group)].sort(([a], [b]) => Number(own(b)) - Number(own(a)));
	const lists = groups.map(([group, cards]) =>
		groupOf(of.groups[group] ?? group, cards, own(group), card => cardRow(card, of.pressed, choose)),
	);
	const first = of.first?.map(([label, act]) => {
		const onclick = () => {
			act();
			frame.close();
		};
		return button(".ghost", { onclick }, label);
	});
	const close = button(".go", { onclick: () => frame.close() }, t(of.pressed ? "done" : "close"));
	clear(
		frame,
		h("div.pick", h("h2", { id: "pick-title" }, of.title), first && h("div.acts", first), lists, h("footer", close)),
	);
	frame.scrollTop = top;
}

/** Opens the dialog; when it closes, the control that opened it has the focus again, even if that was drawn anew. @param {Choosing} of */
export function pick(of) {
	const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.k ?? "";
	frame.onclose = () => $(`[data-k="${CSS.escape(key)}"]`)?.focus();
	draw(of);
	frame.showModal();
	frame.scrollTop = 0;
}
