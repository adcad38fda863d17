// Sounds made on the spot: no file is loaded. Off until they are turned on.
import { mode } from "./page.js";
import { prefs } from "./prefs.js";

/** @typedef {import("./comforts.js").Parts} Parts */
/** A tone: pitch in Hz, when it begins and how long it lasts in s, how loud, and its form. @typedef {[number, number, number, number, OscillatorType]} Tone */

/** @type {Record<string, Tone[]>} */
const SOUNDS = {
	move: [
		[587, 0, 0.16, 0.2, "sine"],
		[880, 0.12, 0.24, 0.2, "sine"],
	],
	dice: [0, 0.05, 0.09, 0.16, 0.2].map(at => /** @type {Tone} */ ([180 + 400 * at, at, 0.035, 0.16, "square"])),
	hit: [
		[150, 0, 0.09, 0.3, "square"],
		[75, 0.03, 0.16, 0.3, "triangle"],
	],
	loss: [
		[220, 0, 0.2, 0.22, "triangle"],
		[147, 0.14, 0.34, 0.22, "triangle"],
		[98, 0.36, 0.6, 0.24, "triangle"],
	],
	lost: [392, 330, 262, 196].map((pitch, i) => /** @type {Tone} */ ([pitch, 0.2 * i, 0.45, 0.16, "triangle"])),
	end: [392, 523, 659, 784].map((pitch, i) => /** @type {Tone} */ ([pitch, 0.15 * i, 0.4, 0.16, "sine"])),
	chat: [[1175, 0, 0.09, 0.14, "sine"]],
};
const SILENT = 0.0001;

/** The sounds heard last; a browser's test listens here. @type {string[]} */
export const heard = [];
/** @type {AudioContext | undefined} */
let audio;

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
	if (!prefs.sound) {
		return;
	}
	heard.push(name);
	audio ??= new AudioContext();
	audio.resume();
	for (const tone of SOUNDS[name]) {
		play(audio, tone);
	}
}

/** @param {AudioContext} context @param {Tone} tone */
function play(context, [pitch, at, length, loud, form]) {
	const start = context.currentTime + at;
	const tone = new OscillatorNode(context, { frequency: pitch, type: form });
	const volume = new GainNode(context, { gain: loud });
	volume.gain.setValueAtTime(loud, start);
	volume.gain.exponentialRampToValueAtTime(SILENT, start + length);
	tone.connect(volume).connect(context.destination);
	tone.start(start);
	tone.stop(start + length);
}

/** The sounds of a step: its cues say what happened. @param {Words.Cue[]} cues */
function soundsOf(cues) {
	/** Whether there is such a blow; its text is a number for the life taken, or a word if it takes all. @param {(cue: Words.Cue) => unknown} which */
	const falls = which => cues.some(cue => cue.k === "hit" && which(cue));
	return [
		cues.some(cue => cue.k === "roll") && "dice",
		falls(cue => !cue.t) && "hit",
		falls(cue => cue.t) && "loss",
	].filter(x => x !== false);
}

/** @param {Parts} parts */
export function hear({ view, steps, around }) {
	let step = steps.at;
	let asked = view.scene?.prompt?.id;
	view.seen.push(scene => {
		const { prompt } = scene;
		const { time, at } = steps;
		if (time && steps.isLast && at > step) {
			soundsOf(time.steps[at - 1].cues ?? []).forEach(name => sound(name));
			step = at;
		}
		if (prompt && prompt.id !== asked) {
			asked = prompt.id;
			asks(prompt, scene.viewer.seat);
		}
	});
	around.chat().then(chat => {
		const { heard: before } = chat;
		chat.heard = line => {
			before(line);
			sound("chat");
		};
	});
	sound("chat");
}

/** @param {Words.Prompt} prompt @param {number | undefined} own */
function asks(prompt, own) {
	if (prompt.mode === "over") {
		// the prompt at the end names a seat that won: one's own, if it has won
		sound(prompt.phase && prompt.seat !== own ? "lost" : "end");
	} else if (prompt.mode === "you" && mode === "play") {
		sound("move");
	}
}
