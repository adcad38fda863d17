// "Play now" on the first page: an opponent whom the server finds, and the people who look for one.
import { Denied, Door, ownKey } from "./account.js";
import { $, button, clear, h } from "./dom.js";
import { drawFilters, isWanted } from "./filters.js";
import { isAgreed } from "./firstrated.js";
import { sitDown, OpponentSearch } from "./opponent.js";
import { optionOf, seatsOf } from "./options.js";
import { shownRow } from "./personvisibility.js";
import { lookAtPush } from "./prefs.js";
import { has, t, when } from "./strings.js";
import { clockTold, termsTold } from "./terms.js";

const REFRESH_MS = 4000;
const BOT_AFTER_S = ["0", "15", "60", "180"];

const door = new Door();
const status = $("#now [role=status]");
const form = /** @type {HTMLFormElement} */ ($("#now form"));
/** @type {Map<string, Wire.GameInfo>} */
let games = new Map();
/** @type {Record<string, Wire.TimeControl>} */
let paces = {};
/** The options of the game that is chosen. @type {ReturnType<typeof optionOf>[]} */
let options = [];
let shows = shownRow();
/** @type {OpponentSearch | null} */
let search = null;
/** The offers as they are shown, as JSON. */
let shown = "";

/** @param {string} name */
const field = name => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** @param {string} text @param {Kid[]} more */
const say = (text, ...more) => clear(status, h("p", text), ...more);

/** The values of the form. */
function wished() {
	const game = games.get(field("game").value);
	const changed = options.filter(one => one.now() !== one.was).map(one => [one.key, one.now()]);
	const given = { ...(field("short").checked && game?.quick), ...Object.fromEntries(changed) };
	const [low, high] = ["low", "high"].map(name => Number(field(name).value) || 0);
	const terms = {
		game: field("game").value,
		options: given,
		time: paces[field("pace").value],
		rated: field("rated").checked,
		listed: field("listed").checked,
		...((low || high) && { low, high: high || 10_000 }),
	};
	return { terms, bot_after_s: Number(field("bot").value) };
}

/** Whether this browser has an account; otherwise explains how to get one. */
async function isSomebody() {
	const key = await ownKey().catch(() => undefined);
	if (!key) {
		say(t("accountFirst"), h("p", h("a.go", { href: "/me" }, t("newAccount"))));
	}
	return !!key;
}

/** Whether the state of the search differs from the one that is shown. @param {string} now */
function isNews(now) {
	const { said } = status.dataset;
	status.dataset.said = now;
	return said !== now;
}

/** @param {OpponentSearch} of @param {Wire.Search} told */
function heard(of, told) {
	const stop = button(".ghost", { onclick: () => endSearch() }, t("stopSearch"));
	if (told.state === "drawing") {
		say(t("drawingSeats"), stop);
		return;
	}
	const { bot, others = 0, along = 0 } = told;
	const name = bot && has(`bot.${bot.bot}`, bot.bot);
	const rating = bot?.rating == null ? "" : ` (${bot.rating})`;
	const take = () => {
		of.bot = bot?.bot ?? "";
	};
	const { seats } = of;
	const free = { n: seats - 1 - along, bot: `${name}${rating}` };
	const label = t(seats > 2 ? "playTheseBots" : "playThisBot", free);
	const offer = bot && button(".go", { onclick: take }, label);
	const n = Math.min(others + 1, seats);
	const text = seats > 2 ? t("gathering", { n, seats }) : t("looking", { n: others });
	const more = along > 0 && t("botsAlong", { n: along });
	if (isNews(`${text}${name}${more}`)) {
		say(text, more && h("p.quiet", more), h("p.acts", offer, stop));
	}
}

async function endSearch() {
	const of = search;
	search = null;
	showForm();
	clear(status);
	await of?.stop().catch(() => null);
}

function showForm() {
	status.dataset.said = "";
	for (const part of form.elements) {
		/** @type {HTMLInputElement} */ (part).disabled = !!search;
	}
}

/** @param {unknown} wrong */
function failed(wrong) {
	const text = wrong instanceof Denied ? wrong.message : "";
	say(text || t(wrong instanceof Error && wrong.message === "drawChanged" ? "drawChanged" : "accountAway"));
}

/** Goes to the table of the match that was found. @param {OpponentSearch} of @param {Wire.Search} found @param {string} game */
async function go(of, { match = "", seat = 0 }, game) {
	const { handle } = await door.ask("account");
	const more = { called: handle, shows: shows.now() };
	await sitDown({ match, seat, game }, of.token, games.get(game)?.title ?? game, more);
}

/** Looks until a match is found, and goes to its table. @param {object} wish @param {Wire.Terms} terms */
async function look(wish, { game, options: played = {}, rated: isRated }) {
	const isAgreedTo = !isRated || (await isAgreed());
	if (search || !isAgreedTo) {
		return;
	}
	const known = games.get(game);
	const mine = new OpponentSearch(door, wish, known ? seatsOf(known, played) : 2);
	search = mine;
	showForm();
	try {
		const found = (await isSomebody()) && (await mine.run(told => heard(mine, told)));
		if (found) {
			await go(mine, found, game);
		} else {
			over(mine);
		}
	} catch (wrong) {
		over(mine);
		failed(wrong);
	}
}

/** Ends a search. @param {OpponentSearch} of */
function over(of) {
	if (search === of) {
		search = null;
		showForm();
	}
}

// --- the people who look ---

/** @param {Wire.OfferTold} offer */
function offerRow(offer) {
	const { terms, handle, rating, provisional, seats } = offer;
	const points = rating == null ? "" : ` (${rating}${provisional ? "?" : ""})`;
	const who = handle
		? h("a", { href: `/ratings#p=${encodeURIComponent(handle)}` }, `${handle}${points}`)
		: t("somebody");
	const take = () => look({ terms, offer: offer.offer }, terms);
	return h(
		"li.row",
		h("span.ttl", games.get(terms.game)?.title ?? terms.game),
		h("span.who", who, ", ", termsTold(terms), seats > 2 && `, ${t("seatsN", { n: seats })}`),
		h("span.at", when(offer.since_ms)),
		button(".go", { onclick: take }, t("takeOffer")),
	);
}

/** @param {string} name */
function paceOption(name) {
	const clock = clockTold(paces[name]);
	const label = t(`pace.${name}`);
	return h("option", { value: name }, `${label}: ${clock}`);
}

/** @param {Wire.OffersTold} told */
function drawOffers({ offers, seekers, there, paces: known }) {
	// defaults are left out of a message: a search is for a rated match, unless it says otherwise
	const said = offers.map(offer => ({ ...offer, terms: { rated: true, ...offer.terms } }));
	const rows = said.filter(({ terms, rating }) => isWanted({ ...terms, rating }));
	const now = JSON.stringify([rows, seekers, there]);
	if (!Object.keys(paces).length) {
		paces = known;
		clear($("[name=pace]", form), Object.keys(known).map(paceOption));
	}
	if (now !== shown) {
		shown = now;
		$("#offers .quiet").textContent = `${t("lookingNow", { n: seekers })} ${t("hereNow", { n: there })}`;
		clear($("#offers ul"), rows.length ? rows.map(offerRow) : h("li.none", t("offersNone")));
	}
}

const refresh = () => door.plain("offers").then(drawOffers, () => null);

/** The properties of the chosen game: a short match, and options, including the number of players. */
function showGame() {
	const game = games.get(field("game").value);
	const label = field("short").closest("label");
	if (label) {
		label.hidden = !Object.keys(game?.quick ?? {}).length;
		field("short").checked &&= !label.hidden;
	}
	options = game ? Object.keys(game.options).map(key => optionOf(game, key, "now-")) : [];
	const isSeats = (/** @type {{ key: string }} */ { key }) => key in (game?.seats_by ?? {});
	shows = shownRow();
	clear(
		$(".players", form),
		options.filter(isSeats).map(one => one.row),
	);
	clear(
		$(".options", form),
		options.filter(one => !isSeats(one)).map(one => one.row),
		shows.row,
	);
}

/** Fills the form. @param {Wire.GameInfo[]} known */
function fillForm(known) {
	const titles = known.map(({ game, title }) => h("option", { value: game }, title));
	const bots = BOT_AFTER_S.map(s =>
		h("option", { value: s }, t(s === "0" ? "botNever" : "botAfter", { n: Number(s) })),
	);
	clear(field("game"), titles);
	clear(field("bot"), bots);
	drawFilters($("#filters .filters"), known, () => {
		refresh();
		dispatchEvent(new Event("filtered"));
	});
	field("game").onchange = showGame;
	showGame();
	form.onsubmit = event => {
		event.preventDefault();
		const { terms, bot_after_s } = wished();
		look({ terms, bot_after_s }, terms);
	};
}

/** Shows the form and the offers. @param {Wire.GameInfo[]} known */
export async function begin(known) {
	games = new Map(known.map(game => [game.game, game]));
	fillForm(known);
	await refresh();
	lookAtPush();
	$("#now").hidden = false;
	$("#offers").hidden = false;
	setInterval(() => document.hidden || refresh(), REFRESH_MS);
}
