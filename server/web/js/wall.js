// The wall: 4 to 16 listed matches that run, each on a small board; the one in which something happens is enlarged.
import { $, reduced } from "./dom.js";
import { glyph, initGlyphs } from "./glyph.js";
import { otherTheme, settings, tools } from "./prefs.js";
import { language, loadStrings, t } from "./strings.js";
import { flash, heard, Tile } from "./tile.js";

await Promise.all([loadStrings(), initGlyphs()]);
// the page is shown before the code for its connections is loaded
const { Server } = await import("../client/server.js");

const REFRESH_MS = 8000;
/** How long a table stays enlarged before another takes its place. */
const DWELL_MS = 8000;
/** How long a finished match stays on the wall. */
const OVER_MS = 20_000;
/** The shortest time between two announcements to a screen reader. */
const TELL_MS = 6000;
/** The number of tables, one of them as large as four, that fit in four columns. */
const FEW = 13;

const server = new Server(location.origin);
const asked = new URLSearchParams(location.search);
const named = (asked.get("match") ?? "").split(",").filter(Boolean).slice(0, 16);
const count = /** @type {HTMLSelectElement} */ ($("#count"));
const following = $("#following");

/** The tiles, by match. @type {Map<string, Tile>} */
const tiles = new Map();
/** The time at which each match ended. @type {Map<string, number>} */
const ended = new Map();
/** @type {Tile | undefined} */
let large;
let enlargedAt = -DWELL_MS;
let toldAt = -TELL_MS;
/** Nothing moves by itself if the viewer wants no motion. */
let isFollowing = !reduced();

/** Enlarges a table in the place of another one. @param {Tile | undefined} tile */
function enlarge(tile) {
	large?.enlarge(false);
	large = tile;
	tile?.enlarge(true);
	enlargedAt = performance.now();
}

/** @param {boolean} on */
function follow(on) {
	isFollowing = on;
	following.ariaPressed = String(on);
}

/** @param {Tile} tile */
function happened(tile) {
	const now = performance.now();
	flash(tile);
	if (isFollowing && tile !== large && now - enlargedAt > DWELL_MS) {
		enlarge(tile);
	}
	if (tile === large && now - toldAt > TELL_MS) {
		toldAt = now;
		$("#live").textContent = heard(tile);
	}
}

/** A table that a viewer enlarges stays large. @param {Tile} tile */
function chosen(tile) {
	follow(false);
	enlarge(tile === large ? undefined : tile);
}

/** Whether a match that is no longer listed as running is still shown. @param {Tile} tile */
function lingers(tile) {
	const at = ended.get(tile.info.match) ?? performance.now();
	ended.set(tile.info.match, at);
	return performance.now() - at < OVER_MS;
}

/** The matches to be shown: first those that are on the wall already. @param {Wire.MatchInfo[]} running */
function wanted(running) {
	const there = new Map(running.map(info => [info.match, info]));
	const kept = [...tiles.values()].filter(tile => there.has(tile.info.match) || lingers(tile)).map(tile => tile.info);
	const others = running.filter(info => !tiles.has(info.match));
	return [...kept, ...others].slice(0, Number(count.value));
}

/** @param {Wire.MatchInfo[]} infos */
function show(infos) {
	const stay = new Set(infos.map(info => info.match));
	for (const [match, tile] of tiles) {
		if (!stay.has(match)) {
			tiles.delete(match);
			ended.delete(match);
			tile.leave();
			large = tile === large ? undefined : large;
		}
	}
	for (const info of infos) {
		if (!tiles.has(info.match)) {
			const tile = new Tile(info, language, { happened, chosen });
			tile.follow(server);
			tiles.set(info.match, tile);
			$("#boards").append(tile.el);
		}
	}
	$("#boards").style.setProperty("--columns", tiles.size > FEW ? "5" : "4");
	$("#none").hidden = tiles.size > 0;
}

async function refresh() {
	try {
		const { running, finished } = await server.matches();
		const all = named.length ? [...running, ...finished].filter(info => named.includes(info.match)) : running;
		show(wanted(all));
		$("#net").textContent = t("connected");
	} catch {
		$("#net").textContent = t("offline");
	}
	document.body.dataset.ready = "1";
}

count.value = ["4", "9", "16"].find(n => Number(n) >= Number(asked.get("n") ?? 9)) ?? "16";
count.onchange = refresh;
following.onclick = () => follow(!isFollowing);
follow(isFollowing);
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings(() => follow(isFollowing && !reduced())) });
await refresh();
setInterval(refresh, REFRESH_MS);
