// A match embedded in another site's page: live, or at a moment (?at=LINE). It only shows; a link leads to the table.
import { $ } from "./dom.js";
import { initGlyphs } from "./glyph.js";
import { Timeline } from "./scene.js";
import { language, loadStrings, t } from "./strings.js";
import { sheet, Tile } from "./tile.js";

const match = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const at = Number(new URLSearchParams(location.search).get("at"));
const dark = matchMedia("(prefers-color-scheme: dark)");
const nothing = () => {};

const paint = () => document.documentElement.classList.toggle("dark", dark.matches);
dark.onchange = paint;
paint();

/** A moment, from the record as spectators may read it. @param {Tile} tile */
async function drawMoment(tile) {
	const answer = await fetch(`/api/bundle/${encodeURIComponent(match)}?view=pub&lang=${language}`);
	if (!answer.ok) {
		tile.say((await answer.text()).trim());
		return;
	}
	/** @type {Bundle} */
	const bundle = await answer.json();
	await Promise.all([sheet("core"), sheet(bundle.game)]);
	const time = new Timeline(bundle.tracks.pub.scene, bundle.tracks.pub.steps);
	const scene = time.at(time.find(at));
	tile.call(scene);
	tile.draw(scene, []);
	$("a", tile.el).setAttribute("href", `/replay#m=${match}&seq=${at}`);
}

await Promise.all([loadStrings(), initGlyphs()]);
/** @type {Wire.MatchInfo} */
const info = { match, game: "", title: "", created_ms: 0, seats: [] };
const tile = new Tile(info, language, { happened: nothing, chosen: nothing });
tile.enlarge(true);
$("#boards").append(tile.el);
if (!match) {
	tile.say(t("noMatch"));
} else if (at) {
	await drawMoment(tile);
} else {
	const { Server } = await import("../client/server.js");
	tile.follow(new Server(location.origin));
}
document.body.dataset.ready = "1";
