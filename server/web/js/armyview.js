// Draws the parts of a draft and changes them: one card, many, places of a formation.
import { button, h } from "./dom.js";
import { pick } from "./armypick.js";
import { at, emptied, put, standing, toggled, without } from "./draft.js";
import { t } from "./strings.js";

/** @typedef {import("./armies.js").Army} Army */
/** @typedef {{ form: Builder.Form, cards: Map<string, Builder.Card>, draft: Army, faults: Builder.Fault[], change: (draft: Army) => void }} Bench */

/** For a card that the form does not know, the id is shown. @param {Bench} bench @param {string} id */
const nameOf = (bench, id) => bench.cards.get(id)?.name ?? id;

/** @param {Bench} bench @param {Builder.Field} field */
const listed = (bench, field) => field.cards.flatMap(id => bench.cards.get(id) ?? []);

/** The groups that are listed openly: the draft's group and those from which every draft may take; all groups if the draft has none yet. @param {Bench} bench @param {Builder.Field} field */
function ownGroups({ draft, form, cards }, field) {
	const all = Object.keys(form.groups);
	const keys = form.sections.flatMap(section => section.fields.flatMap(f => f.sets ?? []));
	const first = form.sections[0].fields[0];
	const settled = keys.length > 0 && cards.has(at(draft, first.way)) && field !== first;
	return settled ? all.filter(group => keys.some(key => draft[key] === group) || group === "any") : all;
}

/** The cards to choose from in a field. @param {Bench} bench @param {Builder.Field} field */
const choosing = (bench, field) => ({
	cards: listed(bench, field),
	groups: bench.form.groups,
	own: ownGroups(bench, field),
});

/** @param {Builder.Section} section @param {Builder.Field} field */
const titleOf = (section, field) => (section.label === field.label ? field.label : `${section.label}: ${field.label}`);

/** A card as it lies in a place. @param {Bench} bench @param {string} id */
function face(bench, id) {
	const card = bench.cards.get(id);
	const figures = card?.does.find(line => line.startsWith("HP "))?.split(":")[0];
	return [h("span.lb", nameOf(bench, id)), h("span.sb", [card?.end, figures].filter(Boolean).join(", "))];
}

/** @param {Bench} bench @param {Builder.Section} section @param {Builder.Field} field */
function oneField(bench, section, field) {
	const { draft } = bench;
	const id = at(draft, field.way);
	/** @param {string} chosen */
	const choose = chosen => {
		const group = bench.cards.get(chosen)?.group;
		const set = (field.sets ?? []).reduce((made, key) => put(made, [key], group), put(draft, field.way, chosen));
		bench.change(set);
	};
	const title = titleOf(section, field);
	const onclick = () => pick({ ...choosing(bench, field), title, choose });
	const attrs = { onclick, "data-k": field.way.join(".") };
	const shown = id ? face(bench, id) : h("span.lb", t("choose"));
	return button(`.place.wide${id ? "" : ".none"}`, attrs, h("span.vh", `${title}: `), shown);
}

/** The cards of a list; a press on one removes it. @param {Bench} bench @param {Builder.Field} field @param {string[]} list */
const chipsOf = (bench, field, list) =>
	list.map((id, n) => {
		const attrs = {
			onclick: () => bench.change(put(bench.draft, field.way, without(list, n))),
			"data-k": `${field.way.join(".")}.${n}`,
		};
		const shown = [
			nameOf(bench, id),
			h("span.sb", bench.cards.get(id)?.end),
			h("span.x", { "aria-hidden": true }, "×"),
		];
		return button(".chip", attrs, h("span.vh", t("takeOut")), shown);
	});

/** @param {Bench} bench @param {Builder.Section} section @param {Builder.Field} field */
function manyField(bench, section, field) {
	/** @type {string[]} */
	const list = at(bench.draft, field.way) ?? [];
	/** @param {string} id */
	const choose = id => {
		const now = toggled(at(bench.draft, field.way) ?? [], id);
		bench.change(put(bench.draft, field.way, now));
		return now;
	};
	const title = titleOf(section, field);
	const onclick = () => pick({ ...choosing(bench, field), title, pressed: list, choose });
	const attrs = { onclick, "data-k": field.way.join(".") };
	const more = button(".ghost", attrs, h("span.vh", `${title}: `), t("addCards"));
	return h("div.many", h("p.count", t("cardsN", { n: list.length })), h("div.pool", chipsOf(bench, field, list), more));
}

/** Further acts at a place of a formation. @param {Bench} bench @param {Builder.Field} field @param {string} place @param {boolean} taken @returns {[string, () => void][]} */
function placeActs(bench, field, place, taken) {
	const lead = field.lead && at(bench.draft, field.lead);
	/** @type {[string, () => void][]} */
	const acts = [];
	if (lead && field.lead_at) {
		const way = field.lead_at;
		const here = () => bench.change(put(emptied(bench.draft, field.way, place), way, Number(place)));
		acts.push([t("standsHere", { name: nameOf(bench, lead) }), here]);
	}
	if (taken) {
		acts.push([t("leaveEmpty"), () => bench.change(emptied(bench.draft, field.way, place))]);
	}
	return acts;
}

/** @typedef {{ id: string, leads: boolean, behind: boolean }} Standing */

/** The text of a place, and its kind. @param {Bench} bench @param {string} place @param {Standing | undefined} here @returns {{ kind: string, said: string, shown: Kid }} */
function placeFace(bench, place, here) {
	if (!here) {
		return { kind: ".none", said: t("nobody"), shown: h("span.lb", { "aria-hidden": true }, place) };
	}
	const name = nameOf(bench, here.id);
	if (here.behind) {
		return { kind: ".behind", said: "", shown: h("span.sb", t("behind", { name })) };
	}
	return { kind: here.leads ? ".leads" : "", said: "", shown: face(bench, here.id) };
}

/** @param {Bench} bench @param {Builder.Field} field @param {string} place @param {Standing | undefined} here @param {string} title */
function placeButton(bench, field, place, here, title) {
	const taken = Boolean(at(bench.draft, field.way)?.[place]);
	const { kind, said, shown } = placeFace(bench, place, here);
	/** @param {string} id */
	const choose = id => bench.change(put(bench.draft, [...field.way, place], id));
	const first = placeActs(bench, field, place, taken);
	const attrs = {
		onclick: () => pick({ ...choosing(bench, field), title, first, choose }),
		disabled: Boolean(here?.leads || here?.behind) && !taken,
		"data-k": [...field.way, place].join("."),
	};
	return button(`.place${kind}`, attrs, h("span.vh", `${title}: ${said}`), shown);
}

/** @param {Bench} bench @param {Builder.Section} section @param {Builder.Field} field */
function placesField(bench, section, field) {
	const there = standing(bench.draft, field, bench.cards);
	const rows = (field.rows ?? []).map((places, n) => {
		const row = t(n ? "backRow" : "frontRow");
		const buttons = places.map(place =>
			placeButton(bench, field, place, there.get(place), `${section.label}: ${t("slotN", { n: place })}, ${row}`),
		);
		return [h("p.count", row), h("div.row3", buttons)];
	});
	return h("div.formation", rows);
}

const FIELDS = { one: oneField, many: manyField, places: placesField };

/** A field with its faults. @param {Bench} bench @param {Builder.Section} section @param {Builder.Field} field */
function fieldOf(bench, section, field) {
	const wrong = bench.faults.filter(fault => fault.at === field.at);
	const said = wrong.map(fault => h(`li${fault.advice ? ".advice" : ""}`, fault.said));
	const heading = section.label !== field.label && section.fields.length > 1 && h("h3.grp", field.label);
	return h(
		`div.field${wrong.some(fault => !fault.advice) ? ".bad" : ""}`,
		heading,
		FIELDS[field.kind](bench, section, field),
		said.length > 0 && h("ul.said", said),
	);
}

/** All sections of a draft. @param {Bench} bench */
export const sections = bench =>
	bench.form.sections.map(section =>
		h(
			"section.part",
			{ "aria-label": section.label },
			h("h2", section.label),
			section.fields.map(field => fieldOf(bench, section, field)),
		),
	);
