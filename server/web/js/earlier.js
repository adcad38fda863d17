// Events from before the page was loaded: told in the chronicle, and shown as a spectator saw it, or as one's own seat
// did once the match is over.
import { match, say, tell } from "./page.js";
import { Timeline } from "./scene.js";
import { language, t } from "./strings.js";

const TOLD_MS = 6000;

/** @typedef {import("./comforts.js").Parts} Parts */

/** Joins the steps of a match up to the page's first Scene with the steps since. @param {Scene} first @param {Step[]} since @param {Track} track */
function fuller(first, since, track) {
	const { seq = 0 } = first;
	const before = track.steps.filter(step => step.seq <= seq);
	const time = new Timeline(track.scene, before);
	const own = first.log ?? [];
	// the page holds the latest lines, as its seat was told them
	const from = time.lines.length - own.length;
	time.lines = time.lines.map((told, i) => ({ ...told, line: own[i - from] ?? told.line }));
	time.push({ seq, scene: { ...first, log: time.lines.map(told => told.line) } });
	since.forEach(step => time.push(step));
	return { time, shift: before.length + 1, from };
}

/** @param {string} why */
function brief(why) {
	tell("earlier", why);
	say(why);
	setTimeout(() => tell("earlier"), TOLD_MS);
}

/** Begins with the steps before the page; gives the number of lines by which the chronicle has grown. @param {Parts} parts */
async function begin({ steps, replay, live }) {
	const before = steps.time;
	const answer = await fetch(`/api/bundle/${encodeURIComponent(match)}?lang=${language}`);
	if (!answer.ok || !before) {
		brief(t("noEarlier"));
		return undefined;
	}
	/** @type {Bundle} */
	const { tracks } = await answer.json();
	const own = tracks[`p${live.seat}`];
	const { time, shift, from } = fuller(before.first, before.steps, own ?? tracks.pub);
	steps.begun(time, shift);
	replay.setup(time.length, time.headings());
	replay.show(steps.at);
	if (!own) {
		brief(t("earlierPublic"));
	}
	return from;
}

/** Goes to the moment of a line that is older than the page. @param {Parts} parts @param {number} line */
export async function goEarlier(parts, line) {
	const from = await begin(parts);
	if (from !== undefined) {
		parts.replay.jump(parts.steps.time?.lines[line + from]?.at ?? 0);
	}
}

/** The request for the moment before the page's first one. The request is made once, because nothing precedes that moment. @type {Promise<unknown> | undefined} */
let asked;

/** Goes to the moment before the page's first one. @param {Parts} parts */
export function goBefore(parts) {
	asked ??= begin(parts).then(() => parts.replay.step(-1));
}
