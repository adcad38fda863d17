// The table: play, watch and replay are one page. Nothing here knows a game.
import { $, h, button, clear } from "./dom.js";
import { t, loadStrings } from "./strings.js";
import { prefs, setPref, otherTheme, myMatches, keepMatch, seatLink, watchLink, replayLink, linkRow, dialog, settings, tools } from "./prefs.js";
import { initGlyphs, addSheet, drawings, glyph, ico } from "./glyph.js";
import { Incoming, Timeline } from "./scene.js";
import { Board } from "./board.js";
import { Prompt } from "./prompt.js";
import { Fx } from "./anim.js";
import { Replay } from "./replay.js";
import { Connection, Choices, FULL } from "./net.js";
import { askSeats, chooseSeats, created, share, sign } from "./seats.js";
import { Check } from "./check.js";
import { Around } from "./around.js";
import { drawSeats, drawInfo, drawLog, drawText, plainText } from "./panels.js";

const inline = $("#bundle"), here = new URLSearchParams(location.hash.slice(1));
const mode = inline || location.pathname === "/replay" ? "replay" : location.pathname === "/watch" ? "watch" : "play";
const match = here.get("m") || "", token = here.get("t") || "";
const NARROW = 700, STALE_MS = 1500, RETRY_MS = 4000;

await Promise.all([loadStrings(), initGlyphs()]);
const sheets = new Map(), json = async url => (await fetch(url)).json(), assets = inline ? null : json("/assets.json");
async function load(name) { if ((await assets).glyphs.includes(name)) addSheet(await json(`/glyphs/${name}.json`)); }
function sheet(name) {
	if (!sheets.has(name)) sheets.set(name, inline ? null : load(name).catch(() => sheets.delete(name)));
	return sheets.get(name);
}
if (inline) addSheet(JSON.parse($("#glyphs").textContent)); else sheet("core");

let time, scene, at = 0, welcome, bundle, shownPrompt, pinned = null, connected = mode === "replay";
const live = $("#live"), info = $("#info"), rail = $("#rail"), notice = $("#notice"), seal = $("#seal"), net = $("#net");
// what is said within a moment is said together: a later text takes none of an earlier one away
const heard = [], MOMENT_MS = 50;
const say = text => heard.push(text) === 1 && setTimeout(() => { const all = heard.splice(0).join(" "); live.textContent = live.textContent === all ? all + "\u00a0" : all; }, MOMENT_MS);

// --- the record is checked in this page ---
const need = since => connection?.send({ t: "need", since });
const check = new Check(() => { showSeal(); reveal(); }, need);
function showSeal() {
	const fault = check.fault;
	seal.classList.toggle("broken", !!fault);
	seal.title = t(fault ? "brokenAt" : "verifiedTo", fault || check);
	clear(seal).append(ico("seal"), h("span", seal.title));
	seal.hidden = !check.seq && !fault;
	seal.dataset.seq = check.seq;
	const from = check.verifier.branch, bar = $("#branched");
	if (from && bar.hidden) clear(bar, t("whatIfBar", from), " ", !inline && h("a", { href: `/replay#m=${from.match}&seq=${from.line}` }, t("toTrunk"))).hidden = false;
	if (fault) tell("broken", `${seal.title} ${fault.why}`, true);
}
seal.hidden = true;
seal.onclick = () => {
	const v = check.verifier;
	dialog(t("record"), h("p", check.fault ? `${seal.title} ${check.fault.why}` : t("verifiedLong", { seq: v.seq, dice: v.dice, openings: v.openings })), linkRow(t("headAt", { seq: v.seq }), check.head), h("p.quiet", t("headWhy")));
};

// --- notices under the top bar ---
const notices = new Map();
function tell(key, text, bad) {
	if (text) notices.set(key, [text, bad]); else notices.delete(key);
	const list = [...notices.values()];
	notice.hidden = !list.length;
	notice.classList.toggle("bad", list.some(x => x[1]));
	const now = list.map(x => x[0]).join(" ");
	if (notice.textContent !== now) notice.textContent = now;
}

const around = new Around({ send: m => connection?.send(m), say, name: seat => scene?.seats[seat]?.name || t("seatN", { n: seat + 1 }), casterLink: key => `${watchLink(match)}&t=${key}`, ticked: () => scene && drawPlates(), hasChosen: seat => check.verifier.choices.some(x => x[1] === seat), after: line => plainText(time?.steps.find(s => s.seq > line && s.log)?.log[0]) || "…" });

const brief = why => { tell("error", why, true); setTimeout(() => { tell("error"); choices.again(); }, RETRY_MS); };

// --- board, prompt, bar ---
const prompt = new Prompt($("#prompt"), {
	mark: (sets, hot) => {
		const path = [].concat(hot?.at || []), from = hot?.from || (path.length > 1 ? path[0] : null);
		board.hot = from && path.length ? { from, to: path.at(-1) } : null;
		board.mark(sets);
		if (scene) board.drawLinks(scene);
		if (hot === undefined) drawTexts();
	},
	answer: (decision, choice) => { say(t("answerSent")); choices.say(decision, choice, check.ack); },
	draft: showDraft,
	extra: p => p.mode === "over" && h("p.after", mode !== "replay" && h("a.go", { href: `/replay#m=${match}` }, t("watchReplay")), !inline && h("a.ghost", { href: "/" }, t("toLobby"))),
});
const board = new Board($("#stagehost"), {
	hover: ref => { prompt.touch(ref); inspect(ref); },
	focus: ref => { prompt.touch(ref); inspect(ref); },
	read: ref => { inspect(ref, true); tab("info"); navigator.vibrate?.(8); },
	pick(ref) {
		if (ref && prompt.pick(ref)) return true;
		if (!ref) prompt.back(); else { inspect(ref, true); if (innerWidth <= NARROW) tab("info"); }
	},
	resized: () => prompt.p && board.mark(prompt.sets()),
});
const fx = new Fx(board);
fx.speed = board.speed = prefs.speed;
const replay = new Replay($("#bar"), {
	go, view: v => startView(v, scene.seq), skip: () => fx.skip(),
	speed: v => { setPref("speed", v); fx.speed = board.speed = v; },
	branch: () => connection.send({ t: "games" }),
	link: () => dialog(t("links"), linkRow(t("momentLink"), replayLink(match, scene.seq))),
}, { live: mode !== "replay", speed: prefs.speed });

function inspect(ref, pin) { if (pin) pinned = ref; if (scene) drawInfo(info, scene, ref || pinned); }
const sets = () => prompt.sets();
function drawTexts() {
	if (!scene) return;
	for (const el of [$("#textboard"), $("#textfirst")]) if (!el.hidden) drawText(el, scene, sets(), ref => prompt.pick(ref));
}
// an assignment not yet sent lies on its slots in this page only
function showDraft(list) {
	const shown = list.filter(d => d.item && d.slot && scene.pieces[d.item]);
	if (!shown.length && !board.drafted) return;
	board.drafted = shown.length > 0;
	const pieces = { ...scene.pieces };
	for (const d of shown) pieces[d.item] = { ...pieces[d.item], on: d.slot, dock: d.dock || "br", dockSize: .47, hang: .06, z: 1, state: ["draft"] };
	board.render({ ...scene, pieces });
	board.mark(sets());
}

function show(next, { instant } = {}) {
	scene = next;
	document.title = `${next.prompt?.mode === "you" && mode === "play" ? "● " : ""}${next.title} · Herald`;
	$("#game").textContent = next.title;
	clear($("#crumbs"), next.crumbs.map(c => h("span", c)));
	drawPlates();
	board.drafted = false;
	if (!$("#stagehost").hidden) board.render(next, { instant });
	const now = at === time.length && (mode !== "replay");
	// sees the question, does not answer it
	const caster = welcome?.viewer.as === "caster" && next.prompt?.mode === "you";
	const p = next.prompt && (caster ? { ...next.prompt, mode: "wait" } : now || next.prompt.mode === "over" ? next.prompt : { ...next.prompt, mode: "past", ...(next.prompt.mode === "none" ? { ask: plainText(next.log?.at(-1)) || next.prompt.ask } : {}) });
	const isNew = prompt.set(p, next);
	board.mark(sets());
	if (isNew && p?.mode === "you") announce(p);
	if (prompt.mine() && prompt.drafts().length) showDraft(prompt.drafts());
	drawLog($("#lines"), next);
	drawTexts();
	inspect(null);
}
// who is away is known while a match is played
function drawPlates() {
	const own = scene.viewer.seat ?? 0, ids = Object.keys(scene.seats).map(Number), bots = (welcome?.seats || []).filter(s => s.kind === "bot").map(s => s.seat);
	const there = mode === "play" && around.presence.seats && new Set([...around.presence.seats, ...bots, own]);
	drawSeats($("#seats-top"), scene, ids.filter(i => i !== own), there, around);
	drawSeats($("#seats-me"), scene, [own], there, around);
}
function announce(p) {
	board.stage.classList.remove("fresh");
	requestAnimationFrame(() => board.stage.classList.add("fresh"));
	const n = p.fields?.[0]?.options?.length ?? p.fields?.[0]?.items?.length ?? 0;
	if (innerWidth <= NARROW) { tab("prompt"); board.node([...sets().can][0]?.split("/")[0])?.scrollIntoView({ block: "nearest" }); }
	if (shownPrompt !== p.id) say(`${t("yours")}. ${p.ask} ${n ? t("options", { n }) : ""}`);
	shownPrompt = p.id;
}

async function go(i, animated) {
	if (!time || i < 0 || i > time.length) return;
	const step = time.steps[i - 1], forward = animated && i === at + 1 && fx.speed > 0;
	if (forward) await fx.run(step.cues, "pre");
	const far = Math.abs(i - at) > 1;
	at = i;
	const line = (forward || animated) && step?.log?.map(plainText).join(" ");
	if (line) say(line);
	const t0 = performance.now();
	show(time.at(i), { instant: !animated || far || !fx.speed });
	metrics.apply.push(performance.now() - t0);
	if (metrics.apply.length > 500) metrics.apply.shift();
	replay.show(i);
	if (forward) await fx.run(step.cues, "post");
}
const metrics = (window.metrics = { apply: [] });

// --- live: the longer the queue of steps, the faster they go ---
const queue = [];
let draining = false;
const incoming = new Incoming((...steps) => { queue.push(...steps); drain(); }, () => need(check.seq));
async function drain() {
	if (draining) return;
	draining = true;
	await Promise.all([sheet("core"), sheet(welcome.game)]);
	while (queue.length) {
		const step = queue.shift(), following = at === time?.length;
		if (!time) { if (step.scene) begin(step.scene); continue; }
		time.push(step);
		replay.setup(time.length, time.headings());
		if (!following) { replay.show(at); continue; }
		fx.speed = board.speed = prefs.speed * (queue.length >= 3 ? 2 : 1);
		try { await go(time.length, queue.length < 8 && !document.hidden); } catch (wrong) { console.error(wrong); }
	}
	fx.speed = board.speed = prefs.speed;
	draining = false;
}

function begin(first) {
	time = new Timeline(first);
	replay.setup(0, time.headings());
	show(first, { instant: true });
	replay.show(0);
	document.body.dataset.ready = "1";
}

let connection, staleTimer, revealed = false;
// the own share of chance: once every seat has fixed one, and only to a record that is true so far
function reveal() {
	const seat = mode === "play" ? welcome?.viewer.seat : -1, entropy = share.of(match, seat), { commitments, entropy: shown, seats } = check.verifier;
	if (!entropy || check.fault) return;
	if (shown.has(seat)) share.forget(match, seat);
	else if (!revealed && seats && commitments.size === seats) revealed = connection.send({ t: "reveal", entropy });
}
const ownKey = here.get("k") || myMatches().find(m => m.match === match && m.token === token)?.key;
const choices = new Choices(m => connection?.send(m), m => ownKey && sign(ownKey, match, m));
const handlers = {
	welcome(m) {
		welcome = m;
		revealed = false;
		check.welcome(m);
		tell("stale", null);
		tell("delay", m.delay && t(!m.delay.s ? "delayedLines" : m.delay.events ? "delayed" : "delayedSeconds", { n: m.delay.s, lines: m.delay.events }));
		connected = true;
		showNet();
		sheet(m.game);
		$("#tools [data-ico=flag]").hidden = m.viewer.as !== "seat";
		if (m.viewer.as === "seat" && token) keepMatch({ match, seat: m.viewer.seat, token, key: ownKey, game: m.game, title: m.title, at: Date.now() });
		choices.again();
	},
	snapshot: m => incoming.snapshot(m),
	checkpoint(m) { check.claim(m); },
	events(m) {
		check.events(m);
		incoming.events(m);
	},
	games: m => branch(m.games.find(g => g.game === (welcome || bundle).game)),
	created,
	accepted(m) { choices.settle(m.id); },
	refused(m) {
		const own = choices.settle(m.id), why = m.rule && !m.why.includes(m.rule) ? `${m.why} (${m.rule})` : m.why;
		say(why);
		if (own) prompt.refused(why); else brief(why);
	},
	presence(m) { around.presence = m; showNet(); if (scene) drawPlates(); },
	said: m => around.said(m),
	granted: m => around.granted(m),
	revoked: m => around.revoked(),
	seats(m) { welcome = { ...welcome, seats: m.seats }; },
	error(m) { if (m.code === "seat-refused") return; if (!welcome && !bundle) { connection.stop(); gone(m.why); } else brief(m.why); },
};
function showNet() {
	net.classList.toggle("off", !connected);
	net.textContent = !connected ? t("offline") : around.presence.spectators ? t("watching", { n: around.presence.spectators }) : t("connected");
}
function gone(why) {
	clear($("#stagehost"), h("div.gone", h("h2", t("noTable")), h("p", why), h("a.go", { href: "/" }, t("toLobby"))));
	document.body.dataset.ready = "1";
}
function connect() {
	connection = new Connection(
		() => [{ t: "hello", match, ...(token ? { token } : { as: "spectator", name: prefs.name }), since: check.seq, caps: ["scene"] }, ...[...around.muted].map(who => ({ t: "mute", who }))],
		{
			message: m => { around.hear(m); handlers[m.t]?.(m); },
			state: (s, code) => {
				const why = Around.closed(code);
				clearTimeout(staleTimer);
				if (why) { connected = false; showNet(); if (code !== FULL) connection.stop(); tell("stale", why, true); } else if (s === "lost") staleTimer = setTimeout(() => { connected = false; showNet(); tell("stale", t("stale"), true); }, STALE_MS);
				else if (connected || welcome) { connected = true; showNet(); tell("stale", null); }
			},
		});
}

// --- replay: a bundle, and beside it the record to check ---
function startView(v, seq) {
	const track = bundle.tracks[v];
	time = new Timeline(track.scene, track.steps);
	at = seq === undefined ? time.length : time.find(seq);
	replay.views(bundle.views, v);
	replay.setup(time.length, bundle.marks?.length ? bundle.marks : time.headings());
	show(time.at(at), { instant: true });
	replay.show(at);
}
async function openBundle() {
	if (inline) bundle = JSON.parse(inline.textContent);
	else {
		const answer = await fetch(`/api/bundle/${encodeURIComponent(match)}`);
		if (!answer.ok) return gone(t("noMatch"));
		bundle = await answer.json();
		await Promise.all(bundle.glyphs.map(sheet));
	}
	const want = here.get("view");
	startView(bundle.tracks[want] ? want : bundle.views[0][0], here.has("seq") ? Number(here.get("seq")) : 0);
	document.body.dataset.ready = "1";
	if (bundle.record) { check.welcome(bundle.record); check.events(bundle.record); }
	if (inline) return;
	connection = new Connection(() => [{ t: "hello", match, as: "spectator", since: check.seq }], {
		message: m => { if (m.t === "welcome" || m.t === "events") check[m.t](m); else if (["games", "created", "error"].includes(m.t)) handlers[m.t](m); },
		state: () => {},
	});
}

// --- the page around the table ---
function tabs(root, chosen) {
	for (const b of root.children) b.onclick = () => {
		for (const x of root.children) x.ariaSelected = x === b;
		chosen(b.getAttribute("aria-controls"));
	};
}
tabs($("#sheet"), name => { rail.dataset.tab = name; });
tabs($("#logtabs"), name => { for (const id of ["lines", "textboard", "chat"]) $("#" + id).hidden = id !== name; drawTexts(); });
const tab = name => $(`#sheet [aria-controls=${name}]`).click();
function textFirst(on) {
	$("#textfirst").hidden = !on;
	$("#stagehost").hidden = on;
	textBtn.ariaPressed = on;
	document.body.classList.toggle("textual", on);
	if (!scene) return;
	if (on) drawTexts(); else { board.measure(); show(scene, { instant: true }); }
}
function showLinks() {
	const mine = myMatches().filter(m => m.match === match);
	dialog(t("links"), mode === "replay" ? null : linkRow(t("watchLink"), watchLink(match)), linkRow(t("replayLink"), replayLink(match)),
		mine.map(m => linkRow(t(m.friend ? "friendLink" : "seatLink", { seat: m.seat + 1 }), seatLink(match, m.token, m.key))), mine.length > 0 && h("p.quiet", t("seatLinkWarning")),
		welcome?.viewer.as === "seat" && button(".ghost", { onclick: () => connection.send({ t: "grant" }) }, t("share")));
}
// a new match where this one stood; what the viewer did not know is drawn anew
function branch(g) {
	const seats = chooseSeats(g, scene.viewer.seat ?? 0), { seq } = scene, begin = () => askSeats(connection, { t: "branch", match, seq, seats: seats.wishes(), ...(token && { token }), title: t("whatIf", { n: seq, title: g.title }) }, g);
	dialog(t("whatIfTitle", { n: seq }), h("p", t("whatIfLong")), seats.rows).querySelector("footer").prepend(button(".go", { onclick: begin }, t("begin")), " ");
}
function showKeys() {
	dialog(t("keys"), h("dl", drawings.keys.map(([k, what]) => [h("dt", k), h("dd", t(what))])));
}
const textBtn = $("#tools [data-ico=text]"), toggleText = () => { setPref("text", !prefs.text); textFirst(prefs.text); };
tools({ text: toggleText, flag: () => around.open(), link: showLinks, moon: otherTheme, help: showKeys, gear: () => settings(key => key === "text" && textFirst(prefs.text)) });
if (inline) { $("#mark").removeAttribute("href"); for (const el of document.querySelectorAll("#tools [data-ico=link],.branch")) el.remove(); }
$("#mark").prepend(glyph("hunting-horn"));
for (const kind of ["pointerover", "focusin"]) $("#lines").addEventListener(kind, e => {
	const ref = e.target.closest?.("[data-ref]")?.dataset.ref, now = sets();
	if (ref) { now.hint.add(ref); inspect(ref); }
	board.mark(now);
});

addEventListener("keydown", e => {
	if (e.target.matches?.("input,select,textarea") || e.metaKey || e.altKey || $("dialog[open]") || !scene) return;
	if (e.key.length === 1 && !e.ctrlKey && !prefs.keys) return;
	if (prompt.key(e)) { e.preventDefault(); return; }
	if (e.ctrlKey) return;
	const refs = [...sets().can];
	const aim = d => refs.length && board.focus(refs.at((refs.indexOf(board.cursor) + d) % refs.length));
	const act = {
		k: () => replay.toggle(), j: () => replay.step(-1), l: () => replay.step(1), "[": () => replay.turn(-1), "]": () => replay.turn(1), Home: () => replay.jump(0), End: () => replay.jump(replay.n),
		n: () => aim(1), p: () => aim(-1), s: () => fx.skip(), d: otherTheme, t: toggleText, "?": showKeys,
		o: () => say(prompt.p ? `${prompt.p.ask} ${prompt.fields().flatMap(f => f.options || f.items || []).map((o, i) => `${i + 1}: ${o.grp ? o.grp + ", " : ""}${o.label}${o.off ? `, ${o.off}` : ""}`).join(". ")}` : t("noDecision")),
		c: () => say(around.read(scene.seats)),
		w: () => say(plainText(scene.log?.at(-1))),
	}[e.key];
	if (act) { e.preventDefault(); act(); }
});
addEventListener("hashchange", () => location.reload());

showNet();
net.hidden = $("[aria-controls=chat]").hidden = mode === "replay";
if (prefs.text) textFirst(true);
if (!match && !inline) gone(t("noMatch"));
else if (mode === "replay") await openBundle();
else connect();
window.herald = { board, prompt, replay, fx, go, check, get scene() { return scene; }, get connection() { return connection; } };
