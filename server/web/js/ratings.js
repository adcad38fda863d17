// Leaderboards of each game, and the profile of a player with the curve of the ratings.
import { Denied, Door, ownKey } from "./account.js";
import { $, button, clear, h } from "./dom.js";
import { addSheet, glyph, initGlyphs } from "./glyph.js";
import { newToken, sitDown } from "./opponent.js";
import { otherTheme, replayLink, settings, tools } from "./prefs.js";
import { curvePicture } from "./ratingcurve.js";
import { has, loadStrings, t, when } from "./strings.js";

await Promise.all([loadStrings(), initGlyphs()]);
addSheet(await (await fetch("/glyphs/core.json")).json());

const BOT = "bot:";
/** A rating lies within this many deviations to either side 95 times of 100. */
const Z95 = 1.96;
const place = $("#board");
const door = new Door();
/** @type {Map<string, string>} */
const titles = new Map();

/** @param {string} handle */
const called = handle => {
	const bot = handle.slice(BOT.length);
	return handle.startsWith(BOT) ? t("seatBot", { bot: has(`bot.${bot}`, bot) }) : handle;
};

/** @param {string} text */
const say = text => {
	$("#said").textContent = text;
};

/** @param {Wire.RankInfo} rank */
const points = ({ rating, provisional }) => `${Math.round(rating)}${provisional ? "?" : ""}`;

/** @param {Wire.RankInfo} rank */
const spread = ({ deviation }) => `± ${Math.round(Z95 * deviation)}`;

/** @param {Wire.RankInfo} rank @param {number} at */
function rankRow(rank, at) {
	const { handle = "", matches, won, drawn, lost } = rank;
	const who = handle
		? h("a", { href: `#p=${encodeURIComponent(handle)}` }, called(handle))
		: h("span.quiet", t("hiddenPlayer"));
	const cells = [rank.provisional ? "–" : at + 1, who, points(rank), spread(rank), matches, won, drawn, lost];
	return h(
		"tr",
		cells.map(cell => h("td", cell instanceof Node ? cell : String(cell))),
	);
}

const HEADS = [
	"rankPlace",
	"rankPlayer",
	"rankRating",
	"rankSpread",
	"rankMatches",
	"rankWon",
	"rankDrawn",
	"rankLost",
];

/** @param {Wire.RankInfo[]} rows @param {number} after */
function rankTable(rows, after) {
	const heads = HEADS.map(head => h("th", { scope: "col" }, t(head)));
	const body = rows.map((row, i) => rankRow(row, after + i));
	const named = { tabindex: 0, role: "region", "aria-label": t("ratings") };
	return h("div.scroll", named, h("table", h("thead", h("tr", heads)), h("tbody", body)));
}

/** @param {string} game @param {number} [after] */
async function drawBoard(game, after = 0) {
	/** @type {Wire.RatingsTold} */
	const told = await door.plain("ratings", { game, after });
	const known = [...titles.keys()].filter(name => told.games.includes(name) || name === game);
	if (!game && known.length) {
		await drawBoard(known[0]);
		return;
	}
	/** @param {{ currentTarget: HTMLSelectElement }} event */
	const onchange = event => {
		location.hash = `g=${event.currentTarget.value}`;
	};
	const options = known.map(name => h("option", { value: name, selected: name === game }, titles.get(name)));
	const more = button(".ghost", { onclick: () => drawBoard(game, after + told.rows.length) }, t("moreMatches"));
	$("#title").textContent = t("ratings");
	clear(
		place,
		known.length > 0 && h("label.set.chosen", h("span", t("game")), h("select", { onchange }, options)),
		told.rows.length ? rankTable(told.rows, after) : h("p.none", t("ratingsNone")),
		told.more && more,
		form(),
	);
}

/** The field by which a player is found. */
function form() {
	const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", name: "player", maxlength: 64 }));
	/** @param {Event} event */
	const onsubmit = event => {
		event.preventDefault();
		location.hash = `p=${encodeURIComponent(field.value.trim())}`;
	};
	return h("form", { onsubmit }, h("label.set", h("span", t("findPlayer")), field), h("button.ghost", t("search")));
}

// --- a player ---

/** @param {Wire.ProfileGame} of @param {boolean} isCounted */
function gamePart({ game, rank, curve = [] }, isCounted) {
	const { matches, won, drawn, lost } = rank;
	return [
		h("h3", titles.get(game) ?? game),
		h("p", t("ratingTold", { rating: points(rank), spread: spread(rank) })),
		isCounted && h("p.quiet", t("resultsTold", { n: matches, won, drawn, lost })),
		curve.length > 1 && curvePicture(curve),
	];
}

/** @param {Wire.ProfileMatch} match */
const matchRow = ({ match, game, title, players, at_ms }) =>
	h(
		"li.row",
		h("span.ttl", title || titles.get(game) || game),
		h("span.who", players.join(" – ")),
		h("span.at", when(at_ms)),
		h("a.ghost", { href: replayLink(match) }, t("replay")),
	);

/** @param {string} key @param {Wire.ProfileMatch[]} matches */
const matchesPart = (key, matches) =>
	matches.length > 0 && [h("h3", t(key)), h("ul.list", { "aria-label": t(key) }, matches.map(matchRow))];

/** Invites the person to a match. @param {string} handle */
async function challenge(handle) {
	say("");
	const game = /** @type {HTMLSelectElement} */ ($("#invite select")).value;
	const token = newToken();
	try {
		const { paces } = await door.plain("offers");
		const made = await door.ask("invite-person", { token, handle, terms: { game, time: paces.slow } });
		await sitDown(made, token, titles.get(game) ?? game, { called: (await door.ask("account")).handle });
	} catch (wrong) {
		say((wrong instanceof Denied && wrong.message) || t("accountAway"));
	}
}

/** @param {string} handle */
function invitePart(handle) {
	const options = [...titles].map(([game, title]) => h("option", { value: game }, title));
	return h(
		"div.acts",
		{ id: "invite" },
		h("label.set", h("span", t("game")), h("select", options)),
		button(".go", { onclick: () => challenge(handle) }, t("invitePlayer")),
	);
}

/** @param {string} handle */
async function drawProfile(handle) {
	/** @type {Wire.ProfileTold} */
	const told = await door.plain("profile", { handle });
	const { games = [], shows = [], favourites = [], best = [], latest = [] } = told;
	const isBot = handle.startsWith(BOT);
	const loved = favourites.map(game => titles.get(game) ?? game).join(", ");
	$("#title").textContent = called(told.handle);
	const mine = await ownKey().catch(() => undefined);
	clear(
		place,
		!isBot && mine && invitePart(told.handle),
		loved && h("p", `${t("favourites")}: ${loved}`),
		games.map(game => gamePart(game, shows.includes("results"))),
		matchesPart("bestMatches", best),
		matchesPart("latestMatches", latest),
		!games.length && !latest.length && !loved && h("p.none", t("showsNothing")),
		h("p", h("a.ghost", { href: "#" }, t("ratings"))),
	);
}

async function draw() {
	const wanted = new URLSearchParams(location.hash.slice(1));
	const handle = wanted.get("p");
	say("");
	try {
		await (handle ? drawProfile(handle) : drawBoard(wanted.get("g") ?? ""));
	} catch (wrong) {
		say((wrong instanceof Denied && wrong.message) || t("accountAway"));
	}
}

/** @type {Wire.Games} */
const { games } = await door.plain("games").catch(() => ({ games: [] }));
for (const { game, title } of games) {
	titles.set(game, title);
}
await draw();
addEventListener("hashchange", () => draw().then(() => place.focus({ preventScroll: true })));
document.body.dataset.ready = "1";
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
