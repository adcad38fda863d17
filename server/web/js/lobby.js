// The first page: games, a new match, open seats, running and finished matches.
import { $, h, clear, button } from "./dom.js";
import { has, t, loadStrings, when } from "./strings.js";
import { prefs, setPref, otherTheme, myMatches, forgetMatch, seatLink, dialog, settings, tools } from "./prefs.js";
import { initGlyphs, addSheet, emblem, glyph } from "./glyph.js";
import { Connection } from "./net.js";
import { askSeats, chooseSeats, created } from "./seats.js";

const REFRESH_MS = 4000;
await Promise.all([loadStrings(), initGlyphs()]);
const json = async url => { try { const r = await fetch(url); return r.ok ? await r.json() : {}; } catch { return {}; } };
json("/glyphs/core.json").then(addSheet);
const assets = json("/assets.json");

let games = new Map(), asked = null;
const title = id => games.get(id)?.title ?? id;

// --- what can be played ---
const sheets = new Map();
async function picture(root, game) { // the game's own picture, else charges of its own glyph sheet
	const { glyphs = [], pictures = [] } = await assets;
	if (pictures.includes(game)) return root.append(h("img", { src: `/pictures/${game}.webp`, alt: "" }));
	if (!sheets.has(game)) sheets.set(game, glyphs.includes(game) ? json(`/glyphs/${game}.json`) : {});
	const sheet = await sheets.get(game);
	addSheet(sheet);
	const names = Object.keys(sheet), pick = names.length ? [0, 1, 2].map(i => names[Math.floor((i + .5) * names.length / 3)]) : ["crossed-swords", "crown", "lion"];
	root.append(...pick.map((name, i) => emblem(name, i, { tier: i === 1 ? 2 : 0, cls: `s${i}` })));
}
function drawGames() {
	clear($("#games")).append(...[...games.values()].map(g => {
		const pic = h("div.picture");
		picture(pic, g.game);
		return h("article.gamecard", { "aria-labelledby": `g-${g.game}` }, pic, h("div.gametext", h("h2", { id: `g-${g.game}` }, g.title), h("p", g.about), h("div.acts",
			button(".go", { onclick: e => quick(g, e.currentTarget) }, t("playBot")), button(".ghost", { onclick: () => wish(g) }, t("newMatch")))));
	}));
}

// --- a new match ---
const ask = (message, about) => { asked = message; askSeats(connection, message, about); };
function quick(g, button) {
	button.disabled = true;
	ask({ t: "create", game: g.game, seats: chooseSeats(g).wishes(), listed: true }, g);
}

const MINUTE_MS = 60_000, HOUR_MS = 60 * MINUTE_MS, DAY_MS = 24 * HOUR_MS, UNIT_MS = { bank: MINUTE_MS, decision: 1000, days: DAY_MS };
const dialogOf = $("#create"), form = $("form", dialogOf), value = e => ({ checkbox: e.checked, number: Number(e.value) })[e.type] ?? e.value.trim();
function timeWish(at) { // how time is measured, and who may watch
	const unit = UNIT_MS[at.kind], absence_ms = at.absence * MINUTE_MS;
	const time = unit ? { kind: at.kind, limit_ms: at.limit * unit, increment_ms: at.kind === "bank" ? at.increment * 1000 : 0, vacation_ms: at.kind === "days" ? at.vacation * DAY_MS : 0, on_timeout: at.over, absence_ms } : absence_ms && { absence_ms };
	return { ...(time && { time }), ...(at.closed && { closed: true }), ...(at.delay && { delay_s: at.delay }) };
}
const { kind, vacation } = form.elements, onlyOfDays = () => { vacation.closest("label").hidden = kind.value !== "days"; };
kind.onchange = onlyOfDays;
onlyOfDays();
const submit = $(".go", form), told = (why, busy) => { $(".problem", form).textContent = why; submit.disabled = busy; };
function wish(g) {
	const seats = chooseSeats(g), options = Object.entries(g.options).map(([key, was]) => {
		const label = has(`option.${key}`, key.replaceAll("_", " ")), kind = { boolean: "checkbox", number: "number" }[typeof was] || "text", of = g.values?.[key];
		const input = of ? h("select", of.map(v => h("option", { value: v, selected: v === was }, has(`option.${key}.${v}`, v.replaceAll("_", " "))))) : h("input", { type: kind, checked: was === true, value: was });
		return { key, was, input, row: h("label.set", kind === "checkbox" ? [input, label] : [label, input]) };
	});
	told("", false);
	form.elements.name.value = prefs.name;
	form.elements.name.placeholder = t("anonymous");
	form.elements.signing.disabled = !crypto.subtle;
	$("h2", form).textContent = g.title;
	clear($("#seats"), seats.rows);
	clear($("#options"), h("legend", t("gameOptions")), options.map(o => o.row)).hidden = !options.length;
	$(".ghost", form).onclick = () => dialogOf.close();
	form.onsubmit = e => {
		const at = Object.fromEntries([...form.elements].filter(x => x.name).map(x => [x.name, value(x)])), given = Object.fromEntries(options.map(o => [o.key, value(o.input), o.was]).filter(([, now, was]) => now !== was));
		e.preventDefault();
		setPref("name", at.name);
		told("", true);
		ask({ t: "create", game: g.game, options: given, listed: at.listed, seats: seats.wishes(), ...timeWish(at) }, { ...g, signing: at.signing });
	};
	dialogOf.showModal();
}
const join = (m, seat) => ask({ t: "join", match: m.match, seat: seat.seat, name: prefs.name, last: m.seats.filter(s => !s.kind).length === 1 }, { game: m.game, title: title(m.game) });

// --- lists ---
function list(id, rows) { clear($(`#${id} ul`)).append(...(rows.length ? rows : [h("li.none", t(`${id}None`))])); }
const names = m => m.seats.map(s => s.name || t("freeSeat")).join(` ${t("against")} `);
const row = (m, ...acts) => h("li.row", h("span.ttl", m.title || title(m.game)), h("span.who", names(m), m.result ? h("span.quiet", `, ${result(m)}`) : null), h("span.at", when(m.created_ms)), acts);
function result(m) { // "seat 0: why" names a seat; here its player
	const [, seat, why] = /^(?:seat (\d+)|draw): (.*)$/.exec(m.result) || [];
	return why === undefined ? m.result : seat === undefined ? `${t("draw")}: ${why}` : `${t("won", { name: m.seats[seat]?.name })}: ${why}`;
}
let shown = "", lists = { open: [], running: [], finished: [] };
function drawMatches(m) {
	const now = JSON.stringify(m);
	lists = m;
	if (now === shown) return;
	shown = now;
	list("open", m.open.map(x => row(x, x.seats.filter(s => !s.kind).map(s => button(".go", { onclick: () => join(x, s) }, t("takeSeat", { n: s.seat + 1 }))))));
	list("running", m.running.map(x => row(x, h("a.ghost", { href: `/watch#m=${x.match}` }, t("watch")))));
	list("finished", m.finished.map(x => row(x, h("a.ghost", { href: `/replay#m=${x.match}` }, t("replay")))));
}

// --- the own matches: where it is the own move comes first, what is due soonest before the others ---
const MOST = 8, MOST_ASKED = 32, NEVER = Number.MAX_SAFE_INTEGER, seatOf = x => `${x.match}/${x.seat}`;
// what the server says of the seats asked after; those that it says nothing of do not go on and are asked after once
let turns = new Map(), asking = [], mineShown = "";
const silent = new Set();
function going() {
	const over = new Set(lists.finished.map(x => x.match));
	return myMatches().filter(x => !x.friend && !over.has(x.match));
}
function askTurns() {
	const seats = going().filter(x => !silent.has(seatOf(x))).slice(0, MOST_ASKED);
	if (seats.length && connection.send({ t: "turns", seats: seats.map(({ match, token }) => ({ match, token })) })) asking.push(seats);
}
function hearTurns(m) {
	const told = new Map(m.turns.map(x => [seatOf(x), x])), fresh = m.turns.filter(x => x.yours && !turns.get(seatOf(x))?.yours);
	for (const x of asking.shift()) if (!told.has(seatOf(x))) silent.add(seatOf(x));
	turns = told;
	if (fresh.length) $("#live").textContent = fresh.map(x => `${t("yourMove")}: ${x.title}`).join(". ");
	drawMine();
}
function left(due) { // the unit is as coarse as the time is long
	const ms = due - Date.now(), [unit, size] = ms >= 2 * DAY_MS ? ["daysLeft", DAY_MS] : ms >= 2 * HOUR_MS ? ["hoursLeft", HOUR_MS] : ["minutesLeft", MINUTE_MS];
	return t(unit, { n: Math.max(0, Math.floor(ms / size)) });
}
function drawMine() {
	const turn = x => turns.get(seatOf(x)), due = x => (turn(x)?.yours ? turn(x).due_ms || NEVER : 2 * NEVER);
	const rows = going().sort((a, b) => due(a) - due(b)).filter((x, i) => i < MOST || turn(x)?.yours).map(x => ({ x, yours: turn(x)?.yours, time: turn(x)?.yours && turn(x).due_ms > 0 && left(turn(x).due_ms) })), now = JSON.stringify(rows);
	if (now === mineShown) return;
	mineShown = now;
	$("#mine").hidden = !rows.length;
	const at = document.activeElement?.closest("#mine .row") && document.activeElement.dataset.of;
	list("mine", rows.map(({ x, yours, time }) => h(`li.row${yours ? ".yours" : ""}`, yours && h("b.turn", t("yourMove"), time && h("span.quiet", `, ${time}`)), h("span.ttl", x.title), h("span.who", t("seatN", { n: x.seat + 1 })), h("span.at", when(x.at)),
		h("a.go", { href: seatLink(x.match, x.token, x.key), "data-of": `go ${seatOf(x)}` }, t("goOn")), button(".ghost", { onclick: () => { forgetMatch(x); drawMine(); }, "data-of": `no ${seatOf(x)}` }, t("forget")))));
	if (at) $(`#mine [data-of="${CSS.escape(at)}"]`)?.focus();
}

// --- connection ---
const net = $("#net");
function state(on) { net.classList.toggle("off", !on); net.textContent = t(on ? "connected" : "offline"); }
state(false);
const connection = new Connection(() => [{ t: "games" }, { t: "matches" }], {
	state(s) { state(s === "open"); if (s === "lost") asking = []; },
	message(m) {
		if (m.t === "games") {
			games = new Map(m.games.map(g => [g.game, g]));
			drawGames();
			document.body.dataset.ready = "1";
		} else if (m.t === "matches") { drawMatches(m); drawMine(); askTurns(); }
		else if (m.t === "turns") hearTurns(m);
		else if (m.t === "created" || m.t === "joined") { dialogOf.close(); created(m); }
		else if (m.t === "error") {
			$("#live").textContent = m.why;
			if (dialogOf.open) told(m.why, false); else if (asked) dialog(t("notDone"), h("p", m.why));
			asked = null;
			for (const b of document.querySelectorAll(".acts .go")) b.disabled = false;
		}
	},
});
setInterval(() => { if (!document.hidden) connection.send({ t: "matches" }); }, REFRESH_MS);

$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
