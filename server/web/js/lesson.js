// A lesson: a table like that of a match, whose choices the server answers from the lesson's file. Nothing is stored
// except in this browser: going back means sending fewer choices.
import { $ } from "./dom.js";
import { Connection, fresh } from "../client/connection.js";
import { glyph, initGlyphs } from "./glyph.js";
import { gone, here, loadSheets, ready, say, sheet, tabs, tell, turnTo, keepInSight } from "./page.js";
import { otherTheme, prefs, setPref, settings, tools } from "./prefs.js";
import { choicesIn, keepChoices, markDone } from "./progress.js";
import { Replay } from "./replay.js";
import { plainText } from "./scene.js";
import { hearKeys } from "./shortcuts.js";
import { Steps } from "./steps.js";
import { language, loadStrings, t } from "./strings.js";
import { View } from "./view.js";
import { Voice } from "./voice.js";

await Promise.all([loadStrings(), initGlyphs()]);
loadSheets();

const game = here.get("g") ?? "";
const name = here.get("n") ?? "";
/** The choices made, and the choices that are shown. @type {Answer[]} */
let choices = choicesIn(game, name);
/** The question that waits for its answer. @type {Wire.Study | null} */
let asked = null;
let isShown = false;
let isOver = false;
let isOnline = false;

/** A lesson has no other players: no clocks, no shared views. */
const around = /** @type {import("./tablestate.js").TableState} */ (
	/** @type {unknown} */ ({ shares: () => null, clock: () => undefined, read: () => t("noClocks") })
);

/** @type {View} */
const view = new View({
	answer,
	extra: () => null,
	prompted,
	there: () => undefined,
	around,
	isAlone: () => false,
	jump: i => replay.jump(i),
});

/** @type {Replay} */
const replay = new Replay(
	$("#bar"),
	{
		go: (i, animated) => steps.go(i, animated),
		view: () => {},
		skip: () => view.fx.skip(),
		earlier: () => {},
		speed: v => {
			setPref("speed", v);
			view.setSpeed(v);
		},
		branch: () => {},
		going: () => isOnline && !isOver,
		link: () => {},
	},
	{ live: true, speed: prefs.speed },
);
/** @type {Steps} */
const steps = new Steps(view, replay);
const voice = new Voice($("#voice"), view, game, { back, count: () => choices.length });

// here a question with one answer is part of the lesson
view.obey = () => {};

/** The voice answers presses on things that cannot be chosen. */
const pick = view.pick.bind(view);
view.pick = (ref, finger) => {
	const done = pick(ref, finger);
	if (!done && steps.isLast) {
		voice.mistaken(ref);
	}
	return done;
};

/** Foresight asks the lesson here, instead of a match. */
const live = /** @type {import("./live.js").Live} */ (
	/** @type {unknown} */ ({
		/** @param {{ id: string, choice: Answer }} m */
		send: ({ id, choice }) =>
			connection.send({ t: "consider", id, game, lesson: name, choices, choice, lang: language }),
		foresaw: () => false,
	})
);

/** An earlier moment has no question. @param {Scene} scene */
function prompted({ prompt, log }) {
	if (!prompt || steps.isLast || prompt.mode === "over") {
		return prompt;
	}
	return { ...prompt, mode: /** @type {const} */ ("past"), ask: plainText(log?.at(-1)) || prompt.ask };
}

// --- requests to the server ---

/** @param {Answer[]} all @param {number | undefined} since how many of them are shown @returns {Wire.Study} */
function study(all, since) {
	const known = since !== undefined && { since };
	return { t: "study", id: fresh(), game, lesson: name, choices: all, lang: language, ...known };
}

/** @param {Wire.Study} question */
function ask(question) {
	asked = question;
	connection.send(question);
}

/** @param {string} _decision @param {Answer} choice */
function answer(_decision, choice) {
	say(t("answerSent"));
	ask(study([...choices, choice], choices.length));
}

/** Goes back to the moment after this many choices. @param {number} count */
function back(count) {
	ask(study(choices.slice(0, count), undefined));
}

/** @param {Wire.Studied} m */
async function studied(m) {
	if (m.id !== asked?.id) {
		return;
	}
	choices = asked.choices ?? [];
	asked = null;
	keepChoices(game, name, choices);
	isOver = m.at === "end";
	if (isOver) {
		markDone(game, name);
	}
	if (m.scene) {
		await Promise.all([sheet("core"), sheet(game)]);
		begin(m.scene);
	}
	for (const delta of m.deltas ?? []) {
		await follow(delta);
	}
	voice.hear(m);
}

/** @param {Scene} scene */
function begin(scene) {
	const time = steps.begin(scene);
	steps.at = 0;
	isShown = true;
	replay.setup(0, time.headings());
	view.show(scene, { instant: true });
	replay.show(0);
	ready();
}

/** @param {Step} delta */
async function follow(delta) {
	const { time } = steps;
	if (time) {
		time.push(delta);
		replay.setup(time.length, time.headings());
		await steps.go(time.length, !document.hidden);
	}
}

/** @param {Wire.Error} m */
function failed(m) {
	if (live.foresaw(m) || m.id !== asked?.id) {
		return;
	}
	asked = null;
	if (isShown) {
		view.prompt.refused(m.why, m.lang);
	} else if (choices.length) {
		// the stored choices do not fit the lesson any more
		choices = [];
		ask(study([], undefined));
	} else {
		connection.stop();
		gone(m.why, t("noTable"), t("toLobby"));
	}
}

/** The action for each kind of message. @type {Record<string, (m: any) => unknown>} */
const handlers = {
	studied,
	/** @param {Wire.Foreseen} m */
	foreseen: m => live.foresaw(m),
	error: failed,
};

const net = $("#net");
const connection = new Connection(
	() => {
		asked ??= study(choices, isShown ? choices.length : undefined);
		return [asked];
	},
	{
		message: m => handlers[m.t]?.(m),
		state: state => {
			const on = state === "open";
			isOnline = on;
			net.classList.toggle("off", !on);
			net.textContent = t(on ? "connected" : "offline");
			tell("stale", !on && isShown && t("stale"), true);
			replay.show(replay.i);
		},
	},
);

// --- the page around the table ---

tabs($("#sheet"), turnTo);
tabs($("#logtabs"), tab => {
	for (const id of ["lines", "textboard"]) {
		$(`#${id}`).hidden = id !== tab;
	}
	view.drawTexts();
});

/** @param {boolean} on whether the board is shown as text */
function textFirst(on) {
	$("#textfirst").hidden = !on;
	$("#stagehost").hidden = on;
	document.body.classList.toggle("textual", on);
	if (view.scene) {
		view.board.measure();
		view.show(view.scene, { instant: true });
	}
}

function toggleText() {
	setPref("text", !prefs.text);
	textFirst(prefs.text);
}

async function explain() {
	return (await import("./explain.js")).explainer(view, live);
}

async function showKeys() {
	(await import("./dialogs.js")).showKeys();
}

tools({
	text: toggleText,
	moon: otherTheme,
	book: async () => (await explain()).book.open(),
	help: showKeys,
	gear: () => settings(changed => changed === "text" && textFirst(prefs.text)),
});
const wake = () => explain().catch(() => {});
for (const kind of ["pointerover", "focusin", "keydown"]) {
	addEventListener(kind, wake, { once: true });
}
if (matchMedia("(hover: none)").matches) {
	wake();
}
if (!game || !name) {
	connection.stop();
	gone(t("nothingToLearn"), t("noTable"), t("toLobby"));
}
hearKeys({ view, replay, around, toggleText, showKeys });
keepInSight();
addEventListener("hashchange", () => location.reload());
$(".skip").onclick = event => {
	// the address says which lesson it is
	event.preventDefault();
	$("#voice").focus();
};
$("#mark").prepend(glyph("hunting-horn"));
if (prefs.text) {
	textFirst(true);
}

window.herald = /** @type {typeof window.herald} */ (
	/** @type {unknown} */ ({
		board: view.board,
		prompt: view.prompt,
		replay,
		get fx() {
			return view.fx;
		},
		view,
		voice,
		get scene() {
			return view.scene;
		},
		get connection() {
			return connection;
		},
	})
);
