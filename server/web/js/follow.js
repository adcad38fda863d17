// The view that a director chooses: live, or with a commentary on a finished match. Spectators may look around.
import { $, h, inputAt } from "./dom.js";
import { glyph, initGlyphs } from "./glyph.js";
import { Pace } from "./pace.js";
import { otherTheme, tools } from "./prefs.js";
import { earlier, Stage } from "./stage.js";
import { language, loadStrings, t } from "./strings.js";
import { sheet } from "./tile.js";

await Promise.all([loadStrings(), initGlyphs()]);

const FIRST_MS = 2000;
const LONGEST_MS = 60_000;
const TICK_MS = 250;
const here = new URLSearchParams(location.hash.slice(1));
const match = here.get("m") ?? "";
const talk = here.get("talk");
const isOpen = here.has("open");
const slider = inputAt("#slider");
const following = $("#following");

/** The direction in force; a direction of a commentary has no proof. @typedef {{ direction: Wire.Direction | null, name: string, at?: number, proof?: string }} Present */
/** @type {Present} */
let present = { direction: null, name: "" };
let isFollowing = true;

const stage = new Stage({
	drawn: scene => {
		slider.max = String(stage.time?.length ?? 0);
		slider.value = String(stage.at);
		$("#game").textContent = [scene.title, ...scene.crumbs.slice(1)].join(" · ");
		$("#said").textContent = stage.said;
		$("#frame").dataset.earlier = stage.isLive ? "" : t("replay");
	},
});

/** @param {string} text */
const tell = text => {
	$("#trouble").textContent = text;
	$("#trouble").hidden = !text;
};

/** Shows the director's name and note. */
function caption() {
	const { direction, name, at, proof = "server" } = present;
	const who = direction ? t("directs", { name: name || t("aDirector") }) : t("nobodyDirects");
	$("#who").textContent = proof === "server" ? who : `${who} ${t("notSigned")}`;
	$("#who").classList.toggle("unsigned", proof !== "server");
	$("#who").title = at ? t("saidAt", { when: new Date(at).toLocaleTimeString(language) }) : "";
	const note = (isFollowing && direction?.note) || "";
	if ($("#note").textContent !== note) {
		$("#note").textContent = note;
	}
	following.ariaPressed = String(isFollowing);
}

/** @param {boolean} on */
function follow(on) {
	isFollowing = on;
	caption();
	if (on) {
		stage.follow(present.direction ?? {});
	} else {
		Object.assign(stage, { eyes: undefined, marks: [], inset: undefined });
	}
}

/** @param {Present} told */
function directed(told) {
	present = told;
	caption();
	if (isFollowing) {
		stage.follow(told.direction ?? {});
	}
}

/** Takes a direction; a false one is not followed. @param {Extract<import("../client/news.js").News, { kind: "directed" }>} news */
function heard(news) {
	tell(news.proof === "false" ? t("directionLies", { why: news.why }) : "");
	if (news.proof !== "false") {
		directed(news);
	}
}

/** A viewer who moves the slider stops following. @param {number} [step] */
function look(step) {
	follow(false);
	stage.go(step);
}

const pace = new Pace();

/** @param {import("../client/match.js").Match} shown @param {import("../client/news.js").News} news */
async function take(shown, news) {
	if (news.kind === "entered") {
		tell("");
		await Promise.all([sheet("core"), sheet(shown.welcome.game)]);
	} else if (news.kind === "lost") {
		tell(t("offline"));
	} else if (news.kind === "directed") {
		heard(news);
	} else if (news.kind === "shown") {
		await show(news.scene, news.steps);
	}
}

/** @param {Scene} scene @param {Step[]} steps */
async function show(scene, steps) {
	if (stage.time) {
		stage.push(steps.length ? steps : [{ seq: scene.seq ?? 0, scene, set: {} }]);
		return;
	}
	const bundle = await earlier(match, language).catch(() => undefined);
	stage.begin(scene, bundle?.tracks.pub);
	follow(isFollowing);
	document.body.dataset.ready = "1";
}

/** @param {number} ms */
const later = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms * (0.7 + 0.6 * Math.random()));
	});

/** Watches for as long as the page is open; a match with a false line is no longer shown. */
async function live() {
	const { Server } = await import("../client/server.js");
	const server = new Server(location.origin);
	for (let wait = FIRST_MS; ; wait = Math.min(LONGEST_MS, 2 * wait)) {
		/** @type {import("../client/match.js").Match | undefined} */
		let shown = undefined;
		try {
			const watched = await server.watch(match, { lang: language, stay: true, openCards: isOpen });
			shown = watched;
			await pace.read(watched, news => take(watched, news));
		} catch (wrong) {
			if (shown?.verifier?.fault) {
				tell(t("recordLies", { why: shown.verifier.fault.message }));
				return;
			}
			tell(t("overlayWaits", { why: wrong instanceof Error ? wrong.message : "" }));
			document.body.dataset.ready = "1";
		} finally {
			// closed after every fault, because the next attempt opens another match
			shown?.close();
		}
		await later(wait);
	}
}

// --- a commentary on a match that is over ---

/** @typedef {{ ms: number, line: number, text?: string, direction?: Wire.Direction }} Said */
/** @typedef {{ track: string, by: string, said: Said[], sound: number }} Talk */

/** Counts the time of a commentary that has no sound. */
class Clock {
	ms = 0;
	paused = true;

	constructor() {
		setInterval(() => {
			this.ms += this.paused ? 0 : TICK_MS;
		}, TICK_MS);
	}

	get currentTime() {
		return this.ms / 1000;
	}

	set currentTime(seconds) {
		this.ms = seconds * 1000;
	}

	play() {
		this.paused = false;
	}

	pause() {
		this.paused = true;
	}
}

/** @param {Talk} shown @returns {Promise<HTMLAudioElement | Clock>} */
async function sounding({ track, sound }) {
	if (!sound) {
		return new Clock();
	}
	const blob = await (await fetch(`/api/commentary/${encodeURIComponent(match)}/${track}.webm`)).blob();
	const audio = /** @type {HTMLAudioElement} */ (h("audio", { src: URL.createObjectURL(blob) }));
	document.body.append(audio);
	return audio;
}

/** Shows the commentary up to now. @param {Talk} shown @param {number} ms @param {number} was how much was said before */
function sayUpTo(shown, ms, was) {
	const now = shown.said.filter(said => said.ms <= ms);
	if (now.length !== was) {
		const last = now.at(-1);
		const note = now.findLast(said => said.text)?.text ?? "";
		directed({ direction: last ? { note, line: last.line, ...last.direction } : null, name: shown.by });
		$("#note").textContent = note || last?.direction?.note || "";
	}
	return now.length;
}

/** @param {Talk[]} talks */
async function play(talks) {
	const shown = talks.find(one => one.track === talk) ?? talks[0];
	const sound = await sounding(shown);
	const button = $("#play");
	button.hidden = false;
	let said = -1;
	const draw = () => {
		button.textContent = t(sound.paused ? "playIt" : "pauseIt");
	};
	button.onclick = async () => {
		await (sound.paused ? sound.play() : sound.pause());
		draw();
	};
	draw();
	setInterval(() => {
		said = sayUpTo(shown, sound.currentTime * 1000, said);
	}, TICK_MS);
}

async function told() {
	const [bundle, answer] = await Promise.all([
		earlier(match, language),
		fetch(`/api/commentary/${encodeURIComponent(match)}`),
	]);
	/** @type {Talk[]} */
	const talks = answer.ok ? (await answer.json()).tracks : [];
	if (!bundle || !talks.length) {
		tell(t("noCommentary"));
	} else {
		await Promise.all(bundle.glyphs.map(sheet));
		const { pub } = bundle.tracks;
		stage.begin(pub.scene);
		stage.push(pub.steps);
		await play(talks);
	}
	document.body.dataset.ready = "1";
}

document.body.classList.toggle("clean", here.has("clean"));
document.body.classList.toggle("under", here.get("clean") === "overlay");
following.onclick = () => follow(!isFollowing);
slider.oninput = () => look(Number(slider.value));
$("#latest").onclick = () => look();
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme });
caption();
if (!match) {
	tell(t("noMatch"));
	document.body.dataset.ready = "1";
} else if (talk === null) {
	await live();
} else {
	await told();
}
