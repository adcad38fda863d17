// The table: play, watch and replay are one page. Nothing here knows a game.
import { TableState } from "./tablestate.js";
import { Check } from "../client/check.js";
import { $ } from "./dom.js";
import { glyph, initGlyphs } from "./glyph.js";
import { Live } from "./live.js";
import { gone, here, inline, invitation, linesOf, loadSheets, match, mode, say, tabs, turnTo } from "./page.js";
import { dialog, linkRow, otherTheme, prefs, replayLink, setPref, settings, tools } from "./prefs.js";
import { Replay } from "./replay.js";
import { plainText } from "./scene.js";
import { hearSeal, showSeal } from "./seal.js";
import { hearKeys } from "./shortcuts.js";
import { metrics, Steps } from "./steps.js";
import { loadStrings, t } from "./strings.js";
import { View } from "./view.js";

await Promise.all([loadStrings(), initGlyphs()]);
loadSheets();

/** Parts that few people need are loaded on demand. */

// --- the parts, which know each other only through this page ---

/** @param {Check} checked */
function checkedOn(checked) {
	showSeal(checked);
	around.agree(checked.verifier);
	live.reveal();
	live.whose();
}

const check = new Check(checkedOn, since => live.need(since), linesOf);
hearSeal(check);

/** @type {TableState} */
const around = new TableState({
	send: m => live.send(m),
	say,
	name: seat =>
		around.seats.find(one => one.seat === seat)?.name ||
		view.scene?.seats[seat ?? -1]?.name ||
		t("seatN", { n: (seat ?? NaN) + 1 }),
	isOut: seat => view.scene?.seats[seat]?.out,
	ticked: () => view.drawPlates(),
	agreed: () => view.prompt.draw(),
	hasChosen: seat => Boolean(check.verifier?.choices.some(choice => choice[1] === seat)),
	after: firstAfter,
	chosenSince: line => check.verifier?.choices.filter(([at]) => at > line).length ?? 0,
	refused: why => live.brief(why),
});

/** @type {View} */
const view = new View({
	...{ answer, extra: p => extra(p), prompted, there, around, jump: i => replay.jump(i) },
	isAlone: () => live.welcome?.seats?.every(({ seat, kind }) => kind === "bot" || seat === live.seat) ?? false,
});

/** @type {Replay} */
const replay = new Replay(
	$("#bar"),
	{
		go: (i, animated) => steps.go(i, animated),
		view: id => recorded?.startView(id, view.scene?.seq),
		skip: () => view.fx.skip(),
		earlier: () => mode !== "replay" && import("./earlier.js").then(m => m.goBefore({ ...parts, live })),
		speed: v => {
			setPref("speed", v);
			view.setSpeed(v);
		},
		branch: () => live.send({ t: "games" }),
		going: () => live.connected && steps.time?.at(steps.time.length).prompt?.mode !== "over",
		link: () => dialog(t("links"), linkRow(t("momentLink"), replayLink(match, view.scene?.seq, replay.view.value))),
	},
	{ live: mode !== "replay", speed: prefs.speed },
);

/** @type {Steps} */
const steps = new Steps(view, replay);
const parts = { steps, view, replay, check, around, branch };
/** @type {Live} */
const live = new Live(parts);
/** A match from its record, if the page shows one. */
const recorded = mode === "replay" ? new (await import("./recorded.js")).Recorded(parts, live) : undefined;

/** The first text of the chronicle after a line; none if the page was opened later. @param {number | undefined} line */
function firstAfter(line) {
	if ((line ?? 0) < (steps.time?.first.seq ?? 0)) {
		return "";
	}
	const step = steps.time?.steps.find(s => s.seq > (line ?? NaN) && s.log);
	return plainText(step?.log?.[0]);
}

/** Why the player should confirm a choice. @param {string} decision @param {Answer} choice */
async function warning(decision, choice) {
	return (await explain()).foresight.warning(decision, choice);
}

/** @param {string} decision @param {Answer} choice */
async function answer(decision, choice) {
	// a player who confirms an option has read its warning
	const read = mode !== "play" || $("#prompt").querySelector(".opt.on .fs.bad");
	// a warning that cannot be loaded delays nothing
	const warned = read ? undefined : await warning(decision, choice).catch(() => undefined);
	if (warned && view.prompt.p?.id === decision) {
		view.prompt.refused(warned.why, warned.lang, t("chooseAgain"));
		return;
	}
	say(t("answerSent"));
	live.choices.say(decision, choice);
}

/** The controls beside the question. @type {(p: Words.Prompt) => Kid} */
let extra = () => null;

/** The prompt of a Scene as this page shows it: an earlier Scene asks nothing, and a caster does not answer. @param {Scene} scene */
function prompted({ prompt, log }) {
	if (!prompt) {
		return prompt;
	}
	if (live.welcome?.viewer.as === "caster" && prompt.mode === "you") {
		return { ...prompt, mode: /** @type {const} */ ("wait") };
	}
	if ((steps.isLast && mode !== "replay") || prompt.mode === "over") {
		return prompt;
	}
	const ask = prompt.mode === "none" ? plainText(log?.at(-1)) || prompt.ask : prompt.ask;
	return { ...prompt, mode: /** @type {const} */ ("past"), ask };
}

/** The seats that are present, which are known only while a match is played. */
function there() {
	const { seats } = around.presence;
	if (mode !== "play" || !seats) {
		return undefined;
	}
	const bots = (live.welcome?.seats || []).filter(seat => seat.kind === "bot").map(seat => seat.seat);
	return new Set([...seats, ...bots, view.scene?.viewer.seat ?? 0]);
}

/** @param {Wire.Games} m */
function branch(m) {
	const name = (live.welcome || recorded?.bundle)?.game;
	const game = m.games.find(g => g.game === name);
	if (game && view.scene) {
		const { scene } = view;
		dialogs().then(d => d.showBranch(live, game, scene));
	}
}

// --- the page around the table ---

tabs($("#sheet"), name => {
	turnTo(name);
	const now = [...document.querySelectorAll("#lines .now")];
	now.at(-1)?.scrollIntoView({ block: "nearest" });
});
tabs($("#logtabs"), name => {
	for (const id of ["lines", "textboard", "chat"]) {
		$(`#${id}`).hidden = id !== name;
	}
	view.drawTexts();
});

/** Shows the board as text instead. @param {boolean} on */
function textFirst(on) {
	$("#textfirst").hidden = !on;
	$("#stagehost").hidden = on;
	$("#tools [data-ico=text]").ariaPressed = String(on);
	document.body.classList.toggle("textual", on);
	if (!view.scene) {
		return;
	}
	if (on) {
		view.drawTexts();
	} else {
		view.board.measure();
		view.show(view.scene, { instant: true });
	}
}

function toggleText() {
	setPref("text", !prefs.text);
	textFirst(prefs.text);
}

/** @param {string} name */
function changed(name) {
	if (name === "text") {
		textFirst(prefs.text);
	}
	dispatchEvent(new CustomEvent("setting", { detail: name }));
}

tools({
	text: toggleText,
	flag: () => around.open(),
	link: async () => (await dialogs()).showLinks(live),
	moon: otherTheme,
	book: async () => (await explain()).book.open(),
	help: showKeys,
	gear: () => settings(changed),
});
// --- what is loaded when it is first asked for ---

function dialogs() {
	return import("./dialogs.js");
}

async function showKeys() {
	(await dialogs()).showKeys();
}

/** The explainer of the thing under the pointer. */
async function explain() {
	return (await import("./explain.js")).explainer(view, live);
}
const wake = () => explain().catch(() => {});
for (const kind of ["pointerover", "focusin", "keydown"]) {
	addEventListener(kind, wake, { once: true });
}
if (matchMedia("(hover: none)").matches) {
	wake();
}

hearKeys({ view, replay, around, toggleText, showKeys });
addEventListener("hashchange", () => location.reload());
$(".skip").onclick = event => {
	// the address says which match it is
	event.preventDefault();
	$("#prompt").focus();
};

if (inline) {
	$("#mark").removeAttribute("href");
	for (const el of document.querySelectorAll("#tools [data-ico=link],.branch")) {
		el.remove();
	}
}
$("#mark").prepend(glyph("hunting-horn"));
live.showNet();
live.net.hidden = mode === "replay";
$("[aria-controls=chat]").hidden = mode === "replay";
if (prefs.text) {
	textFirst(true);
}

window.metrics = metrics;
window.herald = {
	board: view.board,
	prompt: view.prompt,
	replay,
	get fx() {
		return view.fx;
	},
	check,
	/** @param {number} i @param {boolean} animated */
	go: (i, animated) => steps.go(i, animated),
	view,
	get lines() {
		return view.lines();
	},
	get scene() {
		return view.scene;
	},
	get connection() {
		return live.connection;
	},
};

if (!match && !inline) {
	gone(t("noMatch"), t("noTable"), t("toLobby"));
} else if (recorded) {
	await recorded.open();
} else {
	const isSeating = invitation && (await (await import("./invited.js")).sitDown(invitation, here.has("f")));
	if (!isSeating) {
		live.connect();
	}
}
if (match && !inline) {
	const begun = import("./comforts.js").then(({ begin }) => {
		extra = begin({ ...parts, live });
	});
	await begun.catch(() => {});
}
