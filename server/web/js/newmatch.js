// The form for a new match: seats, options, time.
import { armiesOf, chooseArmy, chosenArmy } from "./armies.js";
import { $, h, clear, dialogAt } from "./dom.js";
import { lengthOf, told } from "./lengths.js";
import { optionOf, seatsOf, value } from "./options.js";
import { prefs, setPref } from "./prefs.js";
import { chooseSeats } from "./seats.js";
import { shownRow } from "./personvisibility.js";
import { has, t } from "./strings.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The unit of the form's limit, by the kind of time control. @type {Record<string, number>} */
const UNIT_MS = { bank: MINUTE_MS, decision: 1000, days: DAY_MS };

const frame = dialogAt("#create");
const form = /** @type {HTMLFormElement} */ ($("form", frame));
const submit = /** @type {HTMLButtonElement} */ ($(".go", form));

/** @typedef {Record<string, any>} Filled the form's values, by their names */
/** @typedef {(message: import("./seats.js").Asked, about: import("./seats.js").About) => void} Ask */

/** @param {string} name */
const field = name => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** The time control. @param {Filled} at @returns {Wire.TimeControl | undefined} */
function timeWish(at) {
	const unit = UNIT_MS[at.kind];
	const absence_ms = at.absence * MINUTE_MS;
	if (!unit) {
		return absence_ms ? { absence_ms } : undefined;
	}
	return {
		kind: at.kind,
		limit_ms: at.limit * unit,
		increment_ms: at.kind === "bank" ? at.increment * 1000 : 0,
		vacation_ms: at.kind === "days" ? at.vacation * DAY_MS : 0,
		on_timeout: at.over,
		absence_ms,
	};
}

/** Whether spectators see all hands, and how much later. @param {Filled} at */
const handsWish = at =>
	(at.hands > 0 || at.phase) && {
		open_cards: { s: at.hands, events: 0, ...(at.phase && { phase: true }) },
		...(at.sooner && { open_cards_sooner: true }),
	};

/** The time control, the admitted spectators, hints, and whether the result counts. @param {Filled} at */
function tableWish(at) {
	const time = timeWish(at);
	return {
		...(time && { time }),
		...(at.closed && { closed: true }),
		...(at.delay && { delay_s: at.delay }),
		...handsWish(at),
		...(at.hints && { hints: true }),
		...(at.rated && { rated: true, shares: true }),
	};
}

function showVacation() {
	const row = field("vacation").closest("label");
	if (row) {
		row.hidden = field("kind").value !== "days";
	}
}
field("kind").onchange = showVacation;
showVacation();

/** @param {string} why what is wrong @param {boolean} busy @param {string} [lang] its language, if it is not the page's */
function tell(why, busy, lang) {
	clear($(".problem", form), h("span", { lang: lang || null }, why));
	submit.disabled = busy;
}

/** Shows the fault in a request; returns whether the form is open. @param {string} why @param {string} [lang] */
export function formFailed(why, lang) {
	if (frame.open) {
		tell(why, false, lang);
	}
	return frame.open;
}

export const closeForm = () => frame.close();

/** The list of the armies that this browser keeps; nothing if it keeps none. @param {Wire.GameInfo} game */
function armyRow({ game }) {
	const kept = armiesOf(game);
	const chosen = chosenArmy(game);
	const options = kept.map(army => h("option", { value: army.id, selected: army.id === chosen }, army.name));
	/** @param {{ currentTarget: HTMLSelectElement }} event */
	const onchange = event => chooseArmy(game, event.currentTarget.value);
	const list = h("select", { onchange }, h("option", { value: "" }, t("chooseAtTable")), options);
	return kept.length ? h("label.set", t("yourArmy"), list) : null;
}

/** The most characters of a scenario that fit in a message. */
const SCENARIO_MOST = 48_000;

/** The text of the file in whose position the match begins; empty if none was chosen. */
async function readScenario() {
	const text = (await field("scenario").files?.[0]?.text()) ?? "";
	if (text.length > SCENARIO_MOST) {
		throw new Error(t("scenarioLong", { n: SCENARIO_MOST }));
	}
	return text;
}

/** The viewers who may know the person in the seat. */
let shows = shownRow();

/** Sends the request of the form. @param {Wire.GameInfo} game @param {ReturnType<typeof optionOf>[]} options @param {ReturnType<typeof chooseSeats>} seats @param {Ask} ask @param {string} scenario */
function send(game, options, seats, ask, scenario) {
	const named = /** @type {import("./options.js").FormField[]} */ ([...form.elements]).filter(e => e.name);
	/** @type {Filled} */
	const at = Object.fromEntries(named.map(e => [e.name, value(e)]));
	const changed = options.filter(o => o.now() !== o.was);
	const given = Object.fromEntries(changed.map(o => [o.key, o.now()]));
	// the wishes below carry the name
	setPref("name", at.name);
	tell("", true);
	ask(
		{
			t: "create",
			game: game.game,
			options: given,
			listed: at.listed,
			seats: seats.wishes(),
			...tableWish(at),
			...(scenario && { scenario }),
		},
		{ ...game, shows: shows.now() },
	);
}

function reset() {
	tell("", false);
	field("name").value = prefs.name;
	field("name").placeholder = t("anonymous");
	field("scenario").value = "";
}

/** Describes the chosen holder of a seat, below its list. @param {Element} row @param {number} i */
function explainSeat(row, i) {
	const list = /** @type {HTMLSelectElement} */ ($("select", /** @type {HTMLElement} */ (row)));
	const id = `about-seat-${i}`;
	const about = h("p.quiet.about", { id, "aria-live": "polite" });
	const tell = () => {
		about.textContent = has(`about.${list.value.replace(":", ".")}`, "");
	};
	list.setAttribute("aria-describedby", id);
	list.addEventListener("change", tell);
	tell();
	row.after(about);
}

/**
 * Draws the holders of the seats, for as many seats as the options give; returns the choices.
 * @param {Wire.GameInfo} game @param {ReturnType<typeof optionOf>[]} options
 */
function seated(game, options) {
	let seats = chooseSeats(game);
	const army = armyRow(game);
	shows = shownRow();
	const draw = () => {
		clear($("#seats"), seats.rows, army, shows.row);
		seats.rows.querySelectorAll("label").forEach(explainSeat);
	};
	for (const o of options) {
		o.input.onchange = () => {
			seats = seats.resized(seatsOf(game, Object.fromEntries(options.map(one => [one.key, one.now()]))));
			draw();
		};
	}
	draw();
	return () => seats;
}

/** Shows the expected length of the match, and updates it when the options change. @param {ReturnType<typeof optionOf>[]} options @param {import("./lengths.js").Lengths | null | undefined} lengths */
function lengthShown(options, lengths) {
	const shown = $("#length");
	const show = () => {
		// the remaining length of a scenario's position is unknown
		const isCounted = lengths && !field("scenario").files?.length;
		const length = isCounted && lengthOf(lengths, Object.fromEntries(options.map(one => [one.key, one.now()])));
		const text = length ? t("botLong", { length: told(lengths, length) }) : "";
		if (shown.textContent !== text) {
			shown.textContent = text;
		}
		shown.hidden = !text;
	};
	form.oninput = show;
	form.onchange = show;
	show();
}

/** Shows the disadvantages of open cards in this game, if they are chosen. @param {Wire.GameInfo} game */
function costShown({ open_cards_s, lasting }) {
	const shown = $("#hands-cost");
	const show = () => {
		const s = Number(field("hands").value);
		const wanted = s > 0 || field("phase").checked;
		const isShort = wanted && s < (open_cards_s ?? 0);
		shown.hidden = !wanted;
		$("#sooner").hidden = !isShort;
		field("sooner").checked &&= isShort;
		const least = isShort && t("openCardsLeast", { n: open_cards_s });
		const cost = lasting?.length && t("openCardsCost", { what: lasting.join("; ") });
		const text = [cost, least].filter(Boolean).join(" ");
		if (shown.textContent !== text) {
			shown.textContent = text;
		}
	};
	field("hands").oninput = show;
	field("phase").onchange = show;
	show();
}

/** Opens the form for a game. @param {Wire.GameInfo} game @param {Ask} ask @param {import("./lengths.js").Lengths | null} [lengths] */
export function openForm(game, ask, lengths) {
	const options = Object.keys(game.options).map(key => optionOf(game, key));
	reset();
	$("h2", form).textContent = game.title;
	const seats = seated(game, options);
	const shown = clear(
		$("#options"),
		h("legend", t("gameOptions")),
		options.map(o => o.row),
	);
	shown.hidden = !options.length;
	lengthShown(options, lengths);
	costShown(game);
	$(".ghost", form).onclick = () => frame.close();
	form.onsubmit = event => {
		event.preventDefault();
		readScenario().then(
			scenario => send(game, options, seats(), ask, scenario),
			wrong => tell(wrong.message, false),
		);
	};
	frame.showModal();
}
