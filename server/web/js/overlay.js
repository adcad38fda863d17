// The overlay for streaming software: scoreboard, clocks, dice and the last event, over somebody else's picture.
// It has no controls; its address says which match it shows (/overlay/MATCH), and which elements (?show=dice,clocks).
import { Server } from "../client/server.js";
import { chanceOf } from "../client/statements.js";
import { $, clear, h } from "./dom.js";
import { addSheet, emblem, glyph, initGlyphs } from "./glyph.js";
import { rollOf } from "./moments.js";
import { Pace } from "./pace.js";
import { clock } from "./panels.js";
import { plainText } from "./scene.js";
import { LANGUAGES, loadStrings, preferred, t } from "./strings.js";
import { diceGroup } from "./zones.js";

/** @typedef {import("../client/match.js").Match} Match */
/** @typedef {import("../client/news.js").News} News */

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
const TICK_MS = 250;
const DICE_MS = 9000;
const LOW_MS = 30_000;
const CHANCE_MS = 15_000;
const ELEMENTS = ["score", "names", "clocks", "phase", "chance", "dice", "headline"];

const asked = new URLSearchParams(location.search);
const match = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const wanted = asked.get("lang") ?? "";
/** Whether the overlay follows the view of all hands, with the delay of its viewers. */
const isOpen = asked.has("open");
const lang = wanted in LANGUAGES ? wanted : preferred();

/** Shows only the elements that the address names; all of them if it names no existing one. */
function choose() {
	const named = (asked.get("show") ?? "").split(",").filter(name => ELEMENTS.includes(name));
	document.body.classList.add(...(named.length ? named : ELEMENTS).map(name => `show-${name}`));
}

/** @param {string} url */
async function json(url) {
	const answer = await fetch(url);
	return answer.ok ? answer.json() : {};
}

/** @param {string} selector @param {string} [text] */
function put(selector, text = "") {
	const el = $(selector);
	el.hidden = !text;
	if (el.textContent !== text) {
		el.textContent = text;
	}
}

// --- scoreboard, names, clocks ---

/** @param {Words.Counter} c */
const counter = c =>
	h(
		`span.ct${c.key ? ".key" : ""}`,
		{ title: c.label },
		glyph(c.g),
		h("b", c.v, c.max != null && h("i", `/${c.max}`)),
		c.key && h("span.what", c.label),
	);

/** @param {Wire.ClockInfo | Words.Clock | undefined} c */
const clockText = c => (c ? clock(c.ms) : "");

/** @param {Match} shown @param {string} seat @param {Words.Plate} plate */
function plateShown(shown, seat, plate) {
	const info = shown.seats.find(one => one.seat === Number(seat));
	const running = shown.clocks[seat] ?? plate.clock;
	return h(
		`article.seat.s${seat}${plate.active ? ".active" : ""}${plate.out ? ".out" : ""}`,
		emblem(plate.charge, Number(seat)),
		h("span.nm", info?.name || plate.name),
		h("span.sd", plate.side),
		h("span.cts", Object.values(plate.counters).map(counter)),
		h("time.clk", { "data-seat": seat }, clockText(running)),
	);
}

/** @param {Match} shown @param {Scene} scene */
function drawPlates(shown, scene) {
	const plates = Object.entries(scene.seats).map(([seat, plate]) => plateShown(shown, seat, plate));
	$("#plates").dataset.count = String(plates.length);
	clear($("#plates"), plates);
	tick(shown);
}

/** @param {Match} shown */
function tick(shown) {
	const { clocks, scene } = shown;
	for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clk"))) {
		const seat = el.dataset.seat ?? "";
		const now = clocks[seat] ?? scene?.seats[Number(seat)]?.clock;
		const text = clockText(now);
		if (el.textContent !== text) {
			el.textContent = text;
		}
		el.classList.toggle("run", Boolean(now?.run));
		el.classList.toggle("low", now !== undefined && now.ms < LOW_MS);
	}
}

// --- dice ---

let lastRoll = "";
/** @type {number | undefined} */
let leaving = undefined;

/** The last roll in close-up, for some seconds. @param {Scene} scene @param {Step[]} steps */
function drawDice(scene, steps) {
	const roll = rollOf(scene);
	const text = JSON.stringify(roll ?? "");
	const rolled = steps.some(step => step.cues?.some(cue => cue.k === "roll"));
	if (!roll || (text === lastRoll && !rolled)) {
		return;
	}
	lastRoll = text;
	const dice = $("#dice");
	clear(
		dice,
		h("p.title", roll.title),
		h("div.groups", roll.groups.map(diceGroup)),
		roll.result && h("p.result", roll.result.replace(IDS, "")),
	);
	dice.hidden = false;
	dice.classList.remove("rolled");
	requestAnimationFrame(() => dice.classList.add("rolled"));
	clearTimeout(leaving);
	leaving = setTimeout(() => {
		dice.hidden = true;
	}, DICE_MS);
}

// --- the chance to win ---

/** @typedef {import("../client/statements.js").Chance} Chance */

/** @param {number} share */
const percent = share => `${Math.round(100 * share)} %`;

/** The computed chances, the latest last; viewers of open cards may not have reached their lines yet. @type {Chance[]} */
let worked = [];

/** Whether the last chance to win was false. */
let hasLied = false;

/** The Scene that is shown. @type {Scene | undefined} */
let drawn = undefined;

/** Whether the end of the match is shown. */
const isOver = () => drawn?.prompt?.mode === "over";

/** The latest chance whose line is not after the one that is shown. @param {Scene} scene */
function drawLatest(scene) {
	const last = worked.findLastIndex(({ line }) => line <= (scene.seq ?? 0));
	if (isOver() || hasLied) {
		$("#chance").hidden = true;
	} else if (last >= 0) {
		worked = worked.slice(last);
		drawChance(scene, worked[0]);
	}
}

/** How often each side won the matches that bots played out from the spectators' knowledge. @param {Scene} scene @param {Chance} found */
function drawChance(scene, { sides, samples, proof }) {
	$("#chance").hidden = false;
	const bar = sides.map(({ seats, share }) =>
		h(`span.part.s${seats[0]}`, { style: { "flex-grow": String(Math.max(share, 0.001)) } }),
	);
	const told = sides.map(({ seats, share, low, high }) => {
		const names = seats.map(seat => scene.seats[seat]?.name).join(", ");
		return h("span.side", h("b", `${names} ${percent(share)}`), " ", h("span", `${percent(low)}–${percent(high)}`));
	});
	const what = [t("chanceWhat", { n: samples }), proof !== "server" && t("notSigned")].filter(Boolean).join(" ");
	clear($("#chance"), h("p.told", told), h("div.parts", bar), h("p.what", what));
}

/** Asks again and again until the end is shown. @param {Match} shown */
async function chances(shown) {
	if (!document.body.classList.contains("show-chance") || !shown.connected || isOver()) {
		return;
	}
	const told = await json(`/api/outlook/${encodeURIComponent(match)}`).catch(() => ({}));
	const found = await chanceOf(told, shown.verifier);
	if (found.proof === "false" || hasLied) {
		hasLied = found.proof === "false";
		put("#trouble", hasLied ? t("chanceLies", { why: found.why }) : "");
	}
	if (found.sides.length && found.at >= (worked.at(-1)?.at ?? 0)) {
		worked.push(found);
	}
	if (drawn) {
		drawLatest(drawn);
	}
}

// --- the last event ---

/** Ids of rules, which mean nothing to viewers. */
const IDS = /\s*\([A-Z]{2}-[A-Z]?\d{2,3}\)/g;
/** The words of the game that have explanations. @type {{ name: string, text: string }[]} */
let terms = [];

/** @param {string} game */
async function learnWords(game) {
	const { at } = await json(`/api/words/${encodeURIComponent(game)}?lang=${lang}`);
	/** @type {Record<string, { name: string, text: string }>} */
	const words = at ? await json(at) : {};
	terms = Object.values(words).sort((one, other) => other.name.length - one.name.length);
}

/** The meaning of the longest explained word in a sentence, for viewers who do not know the game. @param {string} text */
function explained(text) {
	const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
	const found = terms.find(({ name }) => words.includes(` ${name.toLowerCase()} `));
	return found ? `${found.name}: ${found.text}` : "";
}

/** @param {Scene} scene */
function drawHeadline(scene) {
	const lines = scene.log ?? [];
	const heading = lines.filter(line => line.k === "head").at(-1);
	const event = lines.filter(line => (line.k ?? "line") === "line").at(-1);
	const { prompt } = scene;
	const end = prompt?.mode === "over" ? prompt.ask : "";
	document.body.classList.toggle("over", Boolean(end));
	put("#headline .under", end ? t("over") : plainText(heading));
	const said = (end || plainText(event)).replace(IDS, "");
	put("#headline .event", said);
	// at the end the reason, and what a word of it means
	const reason = [prompt?.also, prompt?.why].filter(Boolean).join(" ").replaceAll(IDS, "");
	put("#headline .why", end ? reason.charAt(0).toUpperCase() + reason.slice(1) : explained(said));
	$("#headline .event").lang = event?.lang ?? lang;
	$("#headline").hidden = !heading && !event;
}

/** @param {Match} shown @param {Scene} scene @param {Step[]} steps */
function draw(shown, scene, steps) {
	drawn = scene;
	document.title = scene.title;
	put("#phase", scene.crumbs.slice(1).join(" · "));
	drawPlates(shown, scene);
	drawDice(scene, steps);
	drawHeadline(scene);
	drawLatest(scene);
	document.body.dataset.ready = "1";
	document.body.dataset.seq = String(scene.seq);
}

// --- the connection ---

const pace = new Pace();

/** @param {Match} shown @param {News} news */
async function take(shown, news) {
	if (news.kind === "entered") {
		put("#trouble");
		const { game } = shown.welcome;
		await Promise.all([
			json(`/glyphs/${encodeURIComponent(game)}.json`).then(addSheet),
			learnWords(game).catch(() => {}),
		]);
	} else if (news.kind === "lost") {
		put("#trouble", t("offline"));
	} else if (news.kind === "shown") {
		draw(shown, news.scene, news.steps);
	} else if (news.kind === "seated" && drawn) {
		drawPlates(shown, drawn);
	}
}

/** Shows the match for as long as the server permits it. Returns whether one of its lines is false. @param {Server} server */
async function watch(server) {
	const shown = await server.watch(match, { lang, stay: true, openCards: isOpen });
	const ticking = setInterval(() => tick(shown), TICK_MS);
	const asking = setInterval(() => chances(shown), CHANCE_MS);
	chances(shown);
	try {
		await pace.read(shown, news => take(shown, news));
	} catch (wrong) {
		if (shown.verifier?.fault) {
			put("#trouble", t("recordLies", { why: shown.verifier.fault.message }));
			return true;
		}
		throw wrong;
	} finally {
		// closed after every fault, because the next attempt opens another match
		shown.close();
		clearInterval(ticking);
		clearInterval(asking);
	}
	return false;
}

/** @param {number} ms */
const later = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms * (0.7 + 0.6 * Math.random()));
	});

/** Reconnects for as long as the page is open, with a longer pause each time, but not after a false line. */
async function follow() {
	if (!match) {
		put("#trouble", t("noMatch"));
		document.body.dataset.ready = "1";
		return;
	}
	const server = new Server(location.origin);
	for (let wait = FIRST_MS; ; wait = Math.min(LONGEST_MS, 2 * wait)) {
		const begun = performance.now();
		try {
			if (await watch(server)) {
				return;
			}
		} catch (wrong) {
			put("#trouble", t("overlayWaits", { why: wrong instanceof Error ? wrong.message : "" }));
			document.body.dataset.ready = "1";
		}
		if (performance.now() - begun > LONGEST_MS) {
			wait = FIRST_MS;
		}
		await later(wait);
	}
}

choose();
await Promise.all([loadStrings(lang), initGlyphs()]);
addSheet(await json("/glyphs/core.json"));
await follow();
