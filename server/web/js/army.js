// The page where a player's own army is built: its draft, its cost, its faults, files.
import { $, addStyle, button, clear, h, inputAt } from "./dom.js";
import { armiesOf, chooseArmy, dropArmy, keepArmy, keepDraft, lastDraft } from "./armies.js";
import { sections } from "./armyview.js";
import { idOf } from "./draft.js";
import { mark } from "./untranslated.js";
import { glyph, initGlyphs, addSheet } from "./glyph.js";
import { dialog, otherTheme, settings, tools } from "./prefs.js";
import { hearRows } from "./rows.js";
import { linked, Rulebook } from "./rulebook.js";
import { language, loadStrings, t } from "./strings.js";

/** @typedef {import("./armies.js").Army} Army */

await Promise.all([loadStrings(), initGlyphs()]);
addSheet(await (await fetch("/glyphs/core.json")).json());

const SETTLED_MS = 90;
/** The longest draft, in characters, that the server checks. */
const MOST_ASKED = 6000;
const game = new URLSearchParams(location.hash.slice(1)).get("g") ?? "";
const name = inputAt("#name");
const from = /** @type {HTMLSelectElement} */ ($("#from"));
const play = /** @type {HTMLButtonElement} */ ($("#play"));

/** The form of the game's armies; if the game has none, the page says so and stops here. @returns {Promise<Builder.Form>} */
async function formOf() {
	const answer = game && (await fetch(`/armies/${encodeURIComponent(game)}?lang=${language}`));
	if (answer && answer.ok) {
		return answer.json();
	}
	clear($("main"), h("h1", t("noArmies")), h("a.go", { href: "/" }, t("toLobby")));
	$("#mark").prepend(glyph("hunting-horn"));
	document.body.dataset.ready = "1";
	return new Promise(() => {});
}

const form = await formOf();
/** @type {import("./armyview.js").Bench} */
const bench = {
	form,
	cards: new Map(form.cards.map(card => [card.id, card])),
	draft: lastDraft(game) ?? structuredClone(form.empty),
	faults: [],
	change,
};
hearRows(new Rulebook(() => game));
addStyle({ href: "/css/explain.css" });
/** The number of the last draft that was sent to be checked. */
let asked = 0;
/** @type {number | undefined} */
let waiting;

// --- the server's findings ---

/** @param {Builder.Fault} fault */
const faultRow = fault =>
	h(
		`li${fault.advice ? ".advice" : ""}`,
		h("strong", fault.advice ? t("advice") : t("toMend")),
		` ${fault.at}${fault.at ? ": " : ""}${fault.said}`,
		fault.rule && h("span.quiet", " ", linked(fault.rule)),
	);

/** @param {Builder.Finding} found */
function showFinding(found) {
	bench.faults = found.faults;
	if (language !== "en") {
		// an English page has no untranslated texts to watch for
		mark([...(form.english ?? []), ...(found.english ?? [])]);
	}
	const n = found.faults.filter(fault => !fault.advice).length;
	const cost = t("costOf", { a: found.cost, of: found.most, unit: found.unit });
	$("#cost").textContent = cost;
	$("#cost").classList.toggle("over", found.cost > found.most);
	$("#wrong").textContent = n ? t("wrongN", { n }) : t("mayBePlayed");
	$("#wrong").classList.toggle("ok", found.legal);
	play.disabled = !found.legal;
	const list = found.faults.length > 0 ? h("ul", found.faults.map(faultRow)) : h("p", t("mayBePlayed"));
	clear($("#faults"), h("h2", t("findings")), list);
	$("#live").textContent = `${cost}. ${$("#wrong").textContent}`;
	draw();
}

/** Asks the server for the faults of the current draft. */
async function ask() {
	const number = ++asked;
	const text = JSON.stringify(bench.draft);
	const query = encodeURIComponent(text);
	try {
		if (query.length > MOST_ASKED) {
			throw new Error(t("tooLong"));
		}
		const found = await (await fetch(`/armies/${encodeURIComponent(game)}?lang=${language}&draft=${query}`)).json();
		if (number === asked) {
			showFinding(found);
		}
	} catch (wrong) {
		$("#wrong").textContent = query.length > MOST_ASKED ? String(/** @type {Error} */ (wrong).message) : t("notAsked");
		play.disabled = true;
	}
}

// --- the draft ---

/** @param {Army} draft */
function change(draft) {
	bench.draft = draft;
	keepDraft(game, draft);
	draw();
	clearTimeout(waiting);
	waiting = setTimeout(ask, SETTLED_MS);
}

function draw() {
	const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.k;
	clear($("#draft"), sections(bench));
	if (document.activeElement !== name) {
		name.value = bench.draft.name ?? "";
	}
	if (focused) {
		/** @type {HTMLElement | null} */ ($(`[data-k="${CSS.escape(focused)}"]`))?.focus();
	}
}

/** The armies that a draft may start from. */
function drawStarts() {
	const own = armiesOf(game);
	/** @param {Army} army @param {string} value */
	const option = (army, value) => h("option", { value }, army.name);
	const ready = h(
		"optgroup",
		{ label: t("readyArmies") },
		form.ready.map((army, i) => option(army, `r${i}`)),
	);
	const kept =
		own.length > 0 &&
		h(
			"optgroup",
			{ label: t("keptArmies") },
			own.map((army, i) => option(army, `k${i}`)),
		);
	clear(from, h("option", { value: "" }, t("asItIs")), kept, ready, h("option", { value: "e" }, t("emptyArmy")));
}

from.onchange = () => {
	const n = Number(from.value.slice(1));
	const all = { r: form.ready[n], k: armiesOf(game)[n], e: form.empty };
	const chosen = all[/** @type {keyof typeof all} */ (from.value[0])];
	if (chosen) {
		// a draft that begins as a ready army is listed beside that army later, and therefore needs another name
		const called = t("myArmy", { name: chosen.name });
		change({ ...structuredClone(chosen), ...(from.value[0] === "r" && { name: called, id: idOf(called) }) });
	}
	from.value = "";
};
name.oninput = () => {
	const said = name.value.trim();
	change({ ...bench.draft, name: said || form.empty.name, id: idOf(said || form.empty.name) });
};

// --- files, and the use of the draft ---

function save() {
	const text = `${JSON.stringify(bench.draft, null, 1)}\n`;
	const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
	h("a", { href, download: `${bench.draft.id}.json` }).click();
	setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** An empty draft, filled from a file; parts that the file leaves out are still to be chosen. @param {any} found @returns {Army} */
function whole(found) {
	if (!found || typeof found !== "object" || Array.isArray(found)) {
		throw new Error(t("noJson"));
	}
	return { ...structuredClone(form.empty), ...found };
}

const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".json,application/json" }));
file.onclick = () => {
	// the same file may be opened again
	file.value = "";
};
file.onchange = async () => {
	try {
		change(whole(JSON.parse((await file.files?.[0].text()) ?? "")));
	} catch {
		dialog(t("notDone"), h("p", t("noJson")));
	}
};

function keep() {
	keepArmy(game, bench.draft);
	drawStarts();
	drawActs();
	$("#live").textContent = t("kept", { name: bench.draft.name });
	$("#wrong").title = $("#live").textContent;
}

function drawActs() {
	const isKept = armiesOf(game).some(army => army.id === bench.draft.id);
	const forget = () => {
		dropArmy(game, bench.draft.id);
		drawStarts();
		drawActs();
	};
	clear(
		$("#files"),
		button(".ghost", { onclick: keep }, t("keepHere")),
		button(".ghost", { onclick: () => file.click() }, t("openFile")),
		button(".ghost", { onclick: save }, t("saveFile")),
		isKept && button(".ghost", { onclick: forget }, t("forgetArmy", { name: bench.draft.name })),
	);
}

play.onclick = () => {
	keepArmy(game, bench.draft);
	chooseArmy(game, bench.draft.id);
	location.href = `/#new=${game}`;
};

$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
drawStarts();
drawActs();
draw();
await ask();
document.body.dataset.ready = "1";
