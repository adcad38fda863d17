// A game's offers to learners: how it is played, its lessons and their progress, a first match.
import { $, clear, h } from "./dom.js";
import { addSheet, glyph, initGlyphs } from "./glyph.js";
import { otherTheme, settings, tools } from "./prefs.js";
import { doneOf, lessonLink } from "./progress.js";
import { language as reading, loadStrings, t } from "./strings.js";

await Promise.all([loadStrings(), initGlyphs()]);
addSheet(await (await fetch("/glyphs/core.json")).json());
const game = new URLSearchParams(location.hash.slice(1)).get("g") ?? "";

/** @typedef {{ name: string, title: string, about: string, language: string }} Listed */
/** @typedef {{ title: string, guide: boolean, first: { minutes: number } | null, lessons: Listed[] }} Learning */

/** @returns {Promise<Learning | null>} */
async function load() {
	const answer = game && (await fetch(`/lessons/${encodeURIComponent(game)}?lang=${reading}`));
	return answer && answer.ok ? answer.json() : null;
}

/** @param {Listed} lesson @param {boolean} done @param {boolean} now whether it is the one to take */
function row({ name, title, about, language }, done, now) {
	const kind = `${done ? ".done" : ""}${now ? ".now" : ""}`;
	const sign = done ? h("span.tick", { role: "img", "aria-label": t("lessonIsDone") }, "✓") : h("span.tick");
	const lang = language === reading ? null : language;
	const link = h(`a.${now ? "go" : "ghost"}`, { href: lessonLink(game, name) }, t(done ? "again" : "takeLesson"));
	link.setAttribute("aria-label", `${link.textContent}: ${title}`);
	return h(`li.row${kind}`, sign, h("span.ttl", { lang }, title), h("span.who", { lang }, about), link);
}

/** @param {Learning} found */
function draw({ title, guide, first, lessons }) {
	document.title = `${title} · ${t("learn")} · Herald`;
	clear($("#title"), t("learnGame", { title }));
	const done = doneOf(game);
	const next = lessons.find(lesson => !done.includes(lesson.name));
	clear(
		$("#begin"),
		guide && h("a.ghost", { href: `/guide#g=${game}` }, t("howToPlay")),
		next && h("a.go", { href: lessonLink(game, next.name) }, t(done.length ? "nextLesson" : "firstLesson")),
		first && h("a.ghost", { href: `/#first=${game}` }, t("firstMatch", { n: first.minutes })),
	);
	$("#path").hidden = !lessons.length;
	clear(
		$("#path ol"),
		lessons.map(lesson => row(lesson, done.includes(lesson.name), lesson === next)),
	);
}

const found = await load();
if (found) {
	draw(found);
} else {
	clear($("main"), h("h1", t("nothingToLearn")), h("a.go", { href: "/" }, t("toLobby")));
}
document.body.dataset.ready = "1";
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
addEventListener("hashchange", () => location.reload());
addEventListener("pageshow", event => event.persisted && found && draw(found));
$(".skip").onclick = event => {
	// the address says which game it is
	event.preventDefault();
	$("#path ol").focus();
};
