// The first page: games, a new match, open seats, running and finished matches.
import { $, h, clear, button } from "./dom.js";
import { initGlyphs, addSheet, emblem, glyph } from "./glyph.js";
import { hearTurns, MineList } from "./mine.js";
import { Connection } from "../client/connection.js";
import { filtered, isWanted } from "./filters.js";
import { lengthOf, told } from "./lengths.js";
import { whenNamed } from "./myname.js";
import { closeForm, formFailed, openForm } from "./newmatch.js";
import { seatsOf } from "./options.js";
import { myMatches, prefs, otherTheme, dialog, settings, tools } from "./prefs.js";
import { askSeats, chooseSeats, created } from "./seats.js";
import { language, later, t, loadStrings, when } from "./strings.js";
import { termsTold } from "./terms.js";

const REFRESH_MS = 4000;
await Promise.all([loadStrings(), initGlyphs()]);

/** The JSON at an address; nothing if there is none. @param {string} url */
async function json(url) {
	try {
		const answer = await fetch(url);
		return answer.ok ? await answer.json() : {};
	} catch {
		return {};
	}
}
json("/glyphs/core.json").then(addSheet);
/** @type {Promise<{ glyphs?: string[], pictures?: string[] }>} */
const assets = json("/assets.json");

/** @typedef {{ minutes: number, bot: string, options?: Record<string, any> }} First the match to begin with */
/** @typedef {{ first: First | null, lengths: import("./lengths.js").Lengths | null }} Learning a game's offers to learners */
/** The offers of each game to learners. @type {Promise<Record<string, Learning>>} */
const learning = json("/lessons/");

/** The games whose armies can be built. @type {Promise<{ games?: string[] }>} */
const built = json("/armies/");

/** Called when the games may be drawn. @type {() => void} */
let mineKnown = () => {};
/** Resolves when one's own matches and the server's answers about them are shown. @type {Promise<void>} */
const isMineKnown = new Promise(resolve => {
	mineKnown = resolve;
});

/** @type {Map<string, Wire.GameInfo>} */
let games = new Map();
/** Whether a match or a seat was requested, and no fault has been reported since. */
let isAsked = false;

/** @param {string} id */
const title = id => games.get(id)?.title ?? id;

// --- games ---

const CHARGES = ["crossed-swords", "crown", "lion"];
/** @type {Map<string, Promise<GlyphSheet> | GlyphSheet>} */
const sheets = new Map();

/** @param {string} game @param {string[]} glyphs the sheets that there are */
function sheetOf(game, glyphs) {
	const found = sheets.get(game) ?? (glyphs.includes(game) ? json(`/glyphs/${game}.json`) : {});
	sheets.set(game, found);
	return found;
}

/** The game's own picture, otherwise charges of its own glyph sheet. @param {HTMLElement} root @param {string} game */
async function picture(root, game) {
	const { glyphs = [], pictures = [] } = await assets;
	if (pictures.includes(game)) {
		root.append(h("img", { src: `/pictures/${game}.webp`, alt: "" }));
		return;
	}
	const sheet = await sheetOf(game, glyphs);
	addSheet(sheet);
	const names = Object.keys(sheet);
	const own = [0, 1, 2].map(i => names[Math.floor(((i + 0.5) * names.length) / 3)]);
	const charges = names.length ? own : CHARGES;
	root.append(...charges.map((name, i) => emblem(name, i, { tier: i === 1 ? 2 : 0, cls: `s${i}` })));
}

/** @param {Wire.GameInfo} game */
function gameCard(game) {
	const shown = h("div.picture");
	picture(shown, game.game);
	const id = `g-${game.game}`;
	/** @param {{ currentTarget: HTMLButtonElement }} event */
	const onclick = event => quick(game, event.currentTarget);
	const acts = h(
		"div.acts",
		button(".ghost.bot", { onclick }, t("playBot")),
		button(".ghost.new", { onclick: () => newMatch(game) }, t("newMatch")),
	);
	built.then(({ games: all = [] }) => {
		if (all.includes(game.game)) {
			acts.append(h("a.ghost", { href: `/army#g=${game.game}` }, t("buildArmy")));
		}
	});
	learning.then(found => offerLearning(acts, game, found[game.game]));
	const text = h("div.gametext", h("h2", { id }, game.title), h("p", { lang: game.lang || null }, game.about), acts);
	return h("article.gamecard", { "aria-labelledby": id }, shown, text);
}

/**
 * A game's offers to learners: lessons and a first match, which come first until a match was begun in this browser.
 * @param {HTMLElement} acts @param {Wire.GameInfo} game @param {Learning | undefined} found
 */
function offerLearning(acts, game, found) {
	if (!found) {
		return;
	}
	acts.append(h("a.ghost", { href: `/learn#g=${game.game}` }, t("learn")));
	const { first, lengths } = found;
	const isNew = !myMatches().some(held => held.game === game.game);
	if (lengths) {
		acts.before(lengthsOf(game, lengths, isNew));
	}
	if (first) {
		/** @param {{ currentTarget: HTMLButtonElement }} event */
		const onclick = event => quick(game, event.currentTarget, first);
		const begin = button(isNew ? ".ghost.first" : ".ghost", { onclick }, t("firstMatch", { n: first.minutes }));
		acts[isNew ? "prepend" : "append"](begin);
	}
}

/** The length of the matches that a press begins. @param {Wire.GameInfo} game @param {import("./lengths.js").Lengths} lengths @param {boolean} isNew */
function lengthsOf({ options, quick: wished = {} }, lengths, isNew) {
	const lasts = [lengthOf(lengths, { ...options, ...wished }), isNew && lengths.first];
	const [whole, first] = lasts.map(length => length && told(lengths, length));
	return h(
		"p.long",
		first && first !== whole && h("span", t("firstLong", { length: first })),
		whole && h("span", t("botLong", { length: whole })),
	);
}

/**
 * Marks the one thing to do first: one's own matches mark it themselves; for a new visitor it is the shortest first match.
 * @param {Record<string, Learning>} found
 */
function drawBegin(found) {
	/** @param {Wire.GameInfo} game */
	const minutes = ({ game }) => found[game]?.first?.minutes ?? Infinity;
	const [game] = [...games.values()].sort((a, b) => minutes(a) - minutes(b));
	const first = game && !myMatches().length && found[game.game]?.first;
	/** @param {{ currentTarget: HTMLButtonElement }} event */
	const onclick = event => first && quick(game, event.currentTarget, first);
	const begin = first
		? button(".go", { onclick }, t("beginWith", { title: game.title, n: first.minutes }))
		: h("a.go", { href: "#now" }, t("playNow"));
	clear($("#begin"), mine.rows().length ? null : begin);
}

/** @param {Wire.Games} m */
async function drawGames(m) {
	games = new Map(m.games.map(game => [game.game, game]));
	// a card's offers, and the parts above it, are there from the start, or buttons would move away under the hand
	await Promise.allSettled([learning, built, isMineKnown]);
	drawBegin(await learning);
	clear($("#games")).append(...m.games.map(gameCard));
	const opponents = await import("./playnow.js");
	await opponents.begin(m.games);
	document.body.dataset.ready = "1";
	const wanted = new URLSearchParams(location.hash.slice(1));
	beginFrom(games.get(wanted.get("new") ?? ""));
	beginFirst(games.get(wanted.get("first") ?? ""));
}

/** Opens the form for the game that the address names, once. @param {Wire.GameInfo | undefined} game */
function beginFrom(game) {
	if (game) {
		history.replaceState(null, "", "/");
		newMatch(game);
	}
}

/** Begins the first match of the game that the address names, once. @param {Wire.GameInfo | undefined} game */
async function beginFirst(game) {
	const first = (await learning)[game?.game ?? ""]?.first;
	if (game && first) {
		history.replaceState(null, "", "/");
		quick(game, null, first);
	}
}

// --- a new match ---

/** Opens the form. @param {Wire.GameInfo} game */
async function newMatch(game) {
	openForm(game, ask, (await learning)[game.game]?.lengths);
}

/** @param {import("./seats.js").Asked} message @param {import("./seats.js").About} about */
function ask(message, about) {
	isAsked = true;
	askSeats(connection, message, about);
}

/** A match against a bot, at once. @param {Wire.GameInfo} game @param {HTMLButtonElement | null} pressed @param {First} [first] */
function quick(game, pressed, first) {
	if (pressed) {
		pressed.disabled = true;
	}
	const options = first?.options ?? game.quick ?? {};
	const bots = first ? [first.bot] : game.bots;
	const seats = chooseSeats({ ...game, bots, seats: seatsOf(game, options) });
	const hints = first && { hints: true };
	whenNamed(() => {
		ask({ t: "create", game: game.game, options, seats: seats.wishes(), listed: true, ...hints }, game);
	}, freed);
}

/** @param {Wire.MatchInfo} m @param {number} seat */
function join(m, seat) {
	whenNamed(() => {
		ask({ t: "join", match: m.match, seat, name: prefs.name }, { game: m.game, title: title(m.game) });
	});
}

// --- lists ---

/** @param {string} id @param {HTMLElement[]} rows */
function list(id, rows) {
	const none = h("li.none", t(`${id}None`));
	clear($(`#${id} ul`)).append(...(rows.length ? rows : [none]));
}

/** The person at a seat: a guest, or a person who shows the account. @param {Wire.MatchInfo} m @param {Wire.SeatInfo} seat */
function nameOf({ guests = [], handles = {} }, { seat, name = "" }) {
	const handle = handles[seat];
	const of = handle === name ? "✓" : handle && `✓ ${handle}`;
	const who = guests.includes(seat) ? `(${t("guestHere")})` : of;
	return who ? `${name} ${who}` : name || t("freeSeat");
}

/** @param {Wire.MatchInfo} m */
const names = m => m.seats.map(seat => nameOf(m, seat)).join(` ${t("against")} `);

/** The beginning of the reason why a match is void. */
const VOID = "void: ";

/** Replaces the seats in "seat 0: why" or "seats 0 2: why" by their players. @param {Wire.MatchInfo} m @param {string} text @returns {Kid[]} */
function result(m, text) {
	const [, seats, why] = /^(?:seats? ([\d ]+)|draw): (.*)$/.exec(text) || [];
	if (why === undefined) {
		return [text];
	}
	const winners = seats?.split(" ").map(seat => m.seats[Number(seat)]?.name);
	const reason = h("span", { lang: m.lang || null }, why);
	if (why.startsWith(VOID)) {
		return [reason];
	}
	return [winners ? t("won", { name: winners.join(" + ") }) : t("draw"), ": ", reason];
}

/** @param {Wire.MatchInfo} m @param {Kid[]} acts */
function row(m, ...acts) {
	const ended = m.result ? h("span.quiet", ", ", result(m, m.result)) : null;
	const who = h("span.who", names(m), ended, m.rated && h("span.quiet", ", ", t("rated")));
	return h("li.row", h("span.ttl", m.title || title(m.game)), who, h("span.at", when(m.created_ms)), acts);
}

/** @param {Wire.MatchInfo} m */
function openRow(m) {
	const free = m.seats.filter(seat => !seat.kind);
	const takes = free.map(({ seat }) =>
		button(".ghost", { onclick: () => join(m, seat) }, t("takeSeat", { n: seat + 1 })),
	);
	const hints = m.hints && h("span.quiet", t("withHints"));
	const opened = m.open_cards && h("span.quiet", t("openCards", later(m.open_cards)));
	const terms = h("span.quiet", termsTold({ options: m.options, time: m.time, rated: m.rated }));
	return row(m, terms, hints, opened, takes.length ? takes : h("span.quiet", t("waitsForPlayers")));
}

/** A match with its replay. @param {Wire.MatchInfo} m */
const finishedRow = m => row(m, h("a.ghost", { href: `/replay#m=${m.match}` }, t("replay")));

/** A running match; with open cards it can be watched in two ways. @param {Wire.MatchInfo} m */
function runningRow(m) {
	const all = m.open_cards && h("a.ghost", { href: `/watch#m=${m.match}&open=1` }, t("watchHands"));
	return row(m, all, h("a.ghost", { href: `/watch#m=${m.match}` }, t("watch")));
}

/** The lists as they are shown, as JSON. */
let shown = "";

/** @type {Wire.Matches | undefined} */
let last = undefined;
addEventListener("filtered", () => last && drawMatches(last));

/** @param {Wire.Matches} m */
function drawMatches(m) {
	const now = JSON.stringify(m) + filtered();
	last = m;
	if (now === shown) {
		return;
	}
	shown = now;
	list("open", m.open.filter(isWanted).map(openRow));
	list("running", m.running.map(runningRow));
	list("finished", m.finished.map(finishedRow));
}

// --- connection ---

const net = $("#net");

/** @param {boolean} on */
function showNet(on) {
	net.classList.toggle("off", !on);
	net.textContent = t(on ? "connected" : "offline");
}
showNet(false);

/** Enables the pressed button again. */
function freed() {
	for (const b of /** @type {NodeListOf<HTMLButtonElement>} */ (
		document.querySelectorAll("#begin button, .acts button")
	)) {
		b.disabled = false;
	}
}

/** @param {Wire.Error} m */
function failed(m) {
	const lang = m.lang || null;
	clear($("#live"), h("span", { lang }, m.why));
	if (!formFailed(m.why, m.lang) && isAsked) {
		dialog(t("notDone"), h("p", { lang }, m.why));
	}
	isAsked = false;
	mineKnown();
	freed();
}

/** @param {Wire.Created | Wire.Joined} m */
function seated(m) {
	closeForm();
	created(m);
}

/** The action for each kind of message. @type {Record<string, (m: any) => void>} */
const handlers = {
	games: drawGames,
	/** @param {Wire.Matches} m */
	matches: m => {
		drawMatches(m);
		mine.over = new Set(m.finished.map(x => x.match));
		mine.draw();
		if (!mine.ask(connection)) {
			mineKnown();
		}
	},
	/** @param {Wire.Turns} m */
	turns: m => {
		hearTurns(mine, m);
		mineKnown();
	},
	created: seated,
	joined: seated,
	error: failed,
};

/** @returns {ClientMessage} */
const matches = () => ({ t: "matches", lang: language });

const mine = new MineList(list);
const connection = new Connection(() => [{ t: "games", lang: language }, matches()], {
	state: state => {
		showNet(state === "open");
		if (state === "lost") {
			mine.asking = [];
		}
	},
	message: m => handlers[m.t]?.(m),
});
setInterval(() => {
	if (!document.hidden) {
		connection.send(matches());
	}
}, REFRESH_MS);

$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });

const brought = /** @type {HTMLInputElement} */ ($("#bring input"));
brought.onchange = async () => {
	const [file] = brought.files ?? [];
	brought.value = "";
	if (file) {
		(await import("./seatfile.js")).bringSeat(file);
	}
};
