// How a game is played: texts, and pictures that are Scenes of positions, drawn as the table draws them.
import { Board } from "./board.js";
import { $, clear, h, addStyle } from "./dom.js";
import { addSheet, glyph, initGlyphs } from "./glyph.js";
import { otherTheme, settings, tools } from "./prefs.js";
import { hearRows } from "./rows.js";
import { linked, Rulebook } from "./rulebook.js";
import { loadStrings, t } from "./strings.js";

await Promise.all([loadStrings(), initGlyphs()]);
const game = new URLSearchParams(location.hash.slice(1)).get("g") ?? "";
const { lang } = document.documentElement;

/** @typedef {{ caption: string, point: string[], scene: Scene }} Picture */
/** @typedef {{ title: string, text: string[], rules: string[], picture?: Picture }} Part */
/** @typedef {{ title: string, language: string, parts: Part[] }} Guide */

/** @param {string} url */
async function json(url) {
	const answer = game && (await fetch(url));
	return answer && answer.ok ? answer.json() : null;
}

/** @type {[Guide | null, GlyphSheet, GlyphSheet | null]} */
const [guide, core, own] = await Promise.all([
	json(`/guides/${encodeURIComponent(game)}?lang=${lang}`),
	json("/glyphs/core.json"),
	json(`/glyphs/${encodeURIComponent(game)}.json`),
]);
addSheet(core ?? {});
addSheet(own ?? {});

const book = new Rulebook(() => game);
addStyle({ href: "/css/explain.css" });

/** Draws a Scene, and draws it again whenever its place changes size. @param {HTMLElement} root @param {Picture} picture */
function drawn(root, { caption, point, scene }) {
	root.append(/** @type {HTMLTemplateElement} */ ($("#picture")).content.cloneNode(true));
	$(".stage", root).ariaLabel = caption;
	const nothing = () => {};
	const board = new Board(root, {
		hover: nothing,
		focus: nothing,
		read: nothing,
		pick: () => false,
		resized: () => ring(board, point),
	});
	board.measure();
	board.render(/** @type {Scene} */ ({ ...scene, log: [] }), { instant: true });
	ring(board, point);
}

/** @param {Board} board @param {string[]} point */
function ring(board, point) {
	board.point(new Set(point));
	for (const piece of board.stage.querySelectorAll("button,[tabindex]")) {
		piece.setAttribute("tabindex", "-1");
		piece.setAttribute("aria-hidden", "true");
	}
}

/** @param {Part} part @param {number} i */
function partShown({ title, text, rules, picture }, i) {
	const paragraphs = text.map(paragraph => h("p", linked(paragraph)));
	const rows = rules.length > 0 && h("p.quiet.rules", linked(rules.join(" ")));
	const stage = h("div.stagehost");
	const figure = picture && h("figure", stage, h("figcaption", picture.caption));
	const section = h("section", { id: `part${i}` }, h("h2", title), paragraphs, figure, rows);
	return { section, draw: () => picture && drawn(stage, picture) };
}

/** States that the text is in another language than the page. @param {string} language */
function mark(language) {
	if (language !== lang) {
		$("main").lang = language;
		const note = $("#language");
		note.hidden = false;
		note.lang = lang;
		note.textContent = t("onlyEnglish");
	}
}

/** @param {Part[]} parts */
const contents = parts =>
	h(
		"ol",
		parts.map((part, i) => h("li", h("a", { href: `#part${i}`, "data-part": String(i) }, part.title))),
	);

/** @param {Guide} found */
function show({ title, language, parts }) {
	document.title = `${title} · Herald`;
	clear($("#title"), title);
	mark(language);
	const all = parts.map(partShown);
	clear($("#contents"), contents(parts));
	clear(
		$("#parts"),
		all.map(one => one.section),
	);
	all.forEach(one => one.draw());
	clear($("#after"), h("a.go", { href: `/learn#g=${game}` }, t("lessons")), h("a.ghost", { href: "/" }, t("toLobby")));
	$("#after").lang = lang;
}

if (guide) {
	show(guide);
} else {
	clear($("main"), h("h1", t("nothingToLearn")), h("a.go", { href: "/" }, t("toLobby")));
}
document.body.dataset.ready = "1";

document.addEventListener("click", event => {
	const on = /** @type {Element} */ (event.target);
	const part = on.closest("[data-part]")?.getAttribute("data-part");
	if (part) {
		// the address says which game it is
		event.preventDefault();
		$(`#part${part}`).scrollIntoView();
	}
});
hearRows(book);
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
$(".skip").onclick = event => {
	// the address says which game it is
	event.preventDefault();
	$("#parts").focus();
};
