// A director's desk: chooses the view of the spectators who follow, from the public view and nothing else.
import { $, button, clear, h, inputAt } from "./dom.js";
import { glyph, initGlyphs } from "./glyph.js";
import { Moments } from "./moments.js";
import { Pace } from "./pace.js";
import { otherTheme, prefs, tools } from "./prefs.js";
import { plainText } from "./scene.js";
import { earlier, nameEyes, Stage } from "./stage.js";
import { language, loadStrings, t } from "./strings.js";
import { Talk } from "./talk.js";
import { sheet } from "./tile.js";

await Promise.all([loadStrings(), initGlyphs()]);

const FIRST_MS = 2000;
const LONGEST_MS = 60_000;
const MOST_MARKS = 24;
const here = new URLSearchParams(location.hash.slice(1));
const id = here.get("m") ?? "";
const token = here.get("t") ?? "";
const isOpen = here.has("open");
const slider = inputAt("#slider");
const note = inputAt("#note");
const eyes = /** @type {HTMLSelectElement} */ ($("#eyes"));

/** @type {import("../client/match.js").Match | undefined} */
let match;
/** The current direction. @type {Wire.Direction} */
let direction = {};
/** Whether anything is directed. */
let isOn = false;
/** Whether a press on the board draws. */
let isDrawing = false;
/** The start of an arrow. @type {string | null} */
let start = null;
/** @type {Talk | null | undefined} */
let talk;

const stage = new Stage({ pick: drawMark, drawn });
const moments = new Moments(offer, (key, values) => t(key, /** @type {any} */ (values)));

/** @param {string} text */
function tell(text) {
	$("#trouble").textContent = text;
	$("#trouble").hidden = !text;
}

/** Tells a screen reader what happened, and shows it. @param {string} text */
function say(text) {
	$("#told").textContent = text;
}

// --- the view ---

/** The last line that is shown here. */
const line = () => stage.scene?.seq ?? 0;

/** @param {Scene} scene */
function drawn(scene) {
	slider.max = String(stage.time?.length ?? 0);
	slider.value = String(stage.at);
	$("#game").textContent = [scene.title, ...scene.crumbs.slice(1)].join(" · ");
	$("#said").textContent = stage.said;
	$("#latest").ariaPressed = String(stage.isLive);
	if (isOpen) {
		nameEyes(eyes, scene, (value, name) => h("option", { value }, name));
	}
}

/** Whether an entry means something; seat 0 does. @param {[string, unknown]} entry */
const keeps = ([key, value]) => Boolean(value) || (key === "eyes" && value === 0);

/** Sends the direction: the former one with these changes. @param {Partial<Wire.Direction>} [change] */
function direct(change = {}) {
	direction = Object.fromEntries(Object.entries({ ...direction, ...change }).filter(keeps));
	isOn = true;
	send();
	talk?.remark({ direction });
}

function send() {
	if (match?.connected) {
		match.direct(isOn ? direction : undefined);
	}
}

/** The present view of the spectators who follow the direction. */
function summary() {
	const { line: at, until, marks = [], inset, note: text } = direction;
	const where = until ? t("showsReplay", { a: at, b: until }) : t(at ? "showsLine" : "showsLatest", { n: at });
	const parts = [where, marks.length && t("marksN", { n: marks.length }), inset && t("withInset"), text];
	say(isOn ? parts.filter(Boolean).join(" · ") : t("nothingDirected"));
}

function showThis() {
	direct({ line: stage.line, until: 0 });
}

/** @param {import("./moments.js").Moment} moment */
function replay({ line: from, until }) {
	const last = until || line();
	if (from < last) {
		direct({ line: Math.max(1, from), until: last });
	}
}

function stop() {
	isOn = false;
	direction = {};
	note.value = "";
	start = null;
	send();
}

// --- moments, offered as they happen ---

function offer() {
	const rows = moments.list.map(moment =>
		h(
			"li",
			h("span.kind", t(`moment.${moment.kind}`)),
			h("span", moment.text),
			button(
				".ghost",
				{ onclick: () => replay(moment), "aria-label": `${t("replayIt")}: ${moment.text}` },
				t("replayIt"),
			),
		),
	);
	clear($("#moments"), rows);
}

// --- marks ---

/** A press on a place begins an arrow; a second press on the same place draws a ring. @param {string | null} ref */
function drawMark(ref) {
	if (!isDrawing || !ref) {
		return false;
	}
	if (start === null) {
		start = ref;
		say(t("arrowFrom"));
	} else {
		const mark = start === ref ? { at: ref } : { at: start, to: ref };
		start = null;
		direct({ marks: [...(direction.marks ?? []), mark].slice(-MOST_MARKS) });
	}
	return true;
}

function toggleDrawing() {
	isDrawing = !isDrawing;
	start = null;
	$("#draw").ariaPressed = String(isDrawing);
	$("#stagehost").classList.toggle("drawing", isDrawing);
	say(isDrawing ? t("drawHow") : "");
}

// --- commentary ---

/** @param {unknown} wrong */
function failed(wrong) {
	tell(t("talkFailed", { why: /** @type {{ why?: string }} */ (wrong).why ?? String(wrong) }));
}

function newTalk() {
	talk ??= new Talk(() => match, line, failed);
	return talk;
}

/** The label of the button. @param {boolean} on */
function speaking(on) {
	$("#speak").ariaPressed = String(on);
	$("#speak").textContent = t(on ? "speakStop" : "speak");
	say(t(on ? "talkRuns" : "talkKept"));
}

async function speak() {
	const old = talk;
	talk = null;
	if (old?.isSpoken) {
		await old.stop();
		speaking(false);
		return;
	}
	const begun = newTalk();
	try {
		await begun.speak();
		speaking(true);
	} catch (wrong) {
		failed(wrong);
	}
}

/** @param {Event} event */
function write(event) {
	event.preventDefault();
	const field = inputAt("#remark");
	if (field.value.trim()) {
		newTalk().remark({ text: field.value.trim() });
		say(t("remarkKept", { text: field.value.trim() }));
		field.value = "";
	}
}

// --- the match ---

/** @param {Scene} scene @param {Step[]} steps */
async function show(scene, steps) {
	const before = stage.time?.at(stage.time.length);
	if (!before) {
		const bundle = await earlier(id, language).catch(() => undefined);
		stage.begin(scene, bundle?.tracks.pub);
		document.body.dataset.ready = "1";
		return;
	}
	stage.push(steps.length ? steps : [{ seq: scene.seq ?? 0, scene, set: {} }]);
	steps.forEach(step => moments.see(before, scene, step, plainText));
}

const pace = new Pace();

/** @param {import("../client/news.js").News} news */
async function take(news) {
	if (news.kind === "entered") {
		entered(news.welcome);
		await Promise.all([sheet("core"), sheet(news.welcome.game)]);
	} else if (news.kind === "lost") {
		tell(t("offline"));
	} else if (news.kind === "shown") {
		await show(news.scene, news.steps);
	} else if (news.kind === "directed") {
		heard(news);
	} else if (news.kind === "complained") {
		tell(news.why);
	}
}

/** Sends the direction again after a break: the server keeps the direction only until it is restarted. @param {Wire.Welcome} welcome */
function entered(welcome) {
	tell(welcome.viewer.directs ? "" : t("mayNotDirect"));
	if (isOn) {
		send();
	}
}

/** Shows the direction as the spectators who follow see it. @param {Extract<import("../client/news.js").News, { kind: "directed" }>} told */
function heard(told) {
	tell(told.proof === "false" ? t("directionLies", { why: told.why }) : "");
	if (told.proof === "false") {
		return;
	}
	isOn = told.direction !== null;
	direction = told.direction ?? {};
	stage.follow(direction);
	summary();
}

/** @param {number} ms */
const later = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms);
	});

async function follow() {
	const { Server } = await import("../client/server.js");
	const server = new Server(location.origin);
	for (let wait = FIRST_MS; ; wait = Math.min(LONGEST_MS, 2 * wait)) {
		try {
			match = await server.play(id, token, { lang: language, stay: true, openCards: isOpen, name: prefs.name });
			await pace.read(match, take);
		} catch (wrong) {
			tell(t("overlayWaits", { why: wrong instanceof Error ? wrong.message : "" }));
			document.body.dataset.ready = "1";
			if (match?.verifier?.fault) {
				return;
			}
		} finally {
			// closed after every fault, because the next attempt opens another match
			match?.close();
		}
		await later(wait);
	}
}

slider.oninput = () => stage.go(Number(slider.value));
$("#latest").onclick = () => stage.go();
$("#show").onclick = showThis;
$("#stop").onclick = stop;
$("#draw").onclick = toggleDrawing;
$("#wipe").onclick = () => direct({ marks: [] });
$("#addinset").onclick = () => direct({ inset: { line: stage.line, ...(eyes.value && { eyes: Number(eyes.value) }) } });
$("#noinset").onclick = () => direct({ inset: undefined });
$("#say").onsubmit = event => {
	event.preventDefault();
	direct({ note: note.value.trim() });
};
eyes.onchange = () => {
	delete direction.eyes;
	direct(eyes.value ? { eyes: Number(eyes.value) } : {});
};
eyes.disabled = !isOpen;
$("#speak").onclick = speak;
$("#write").onsubmit = write;
$("#link").setAttribute("href", `/follow#m=${id}${isOpen ? "&open=1" : ""}`);
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme });
summary();
await follow();
