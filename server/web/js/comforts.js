// The comforts around the table, loaded once it is drawn: the end, sounds, marks on unread chat, messages of the
// system, answers ahead.
import { Ahead, isBots } from "./ahead.js";
import { later } from "./choices.js";
import { $, button, h, addStyle } from "./dom.js";
import { diceGroup } from "./zones.js";
import { Ending } from "./ending.js";
import { Notices } from "./notices.js";
import { inline, isNarrow, mode, showPanel, keepInSight } from "./page.js";
import { pairsOf } from "./pairs.js";
import { prefs } from "./prefs.js";
import { Review, summedUp } from "./review.js";
import { plainText, ROWS } from "./scene.js";
import { t } from "./strings.js";

/** A question of which this much is hidden below the edge gets a sign. */
const MORE_PX = 16;
/** The number of lines under a question on a phone; under dice, only the last line is shown. */
const TOLD = 2;
/** Stakes of at most this many letters leave room for a line beside them. */
const BRIEF = 24;

/** @typedef {import("./live.js").LiveParts & { live: import("./live.js").Live }} Parts */

/** Starts the comforts on the present table; gives the function that makes the controls beside a question. @param {Parts} parts @returns {(p: Words.Prompt) => Kid} */
export function begin(parts) {
	addStyle({ href: "/css/comforts.css" });
	later.pairs = pairsOf;
	const { view } = parts;
	const beside = mode === "replay" ? recorded(parts) : played(parts);
	keepLowest($("#lines"));
	showMore(view.prompt.root);
	unfold(view);
	import("./symbols.js").then(({ drawSymbols }) =>
		drawSymbols(view, [view.prompt.root, view.info, $("#lines"), view.board.fx]),
	);
	// existing parts are drawn with it
	queueMicrotask(() => view.scene && view.prompt.draw());
	return latest(parts, beside);
}

/**
 * A longer question leaves the chronicle less room: the lowest line in sight is kept in sight. If no line was in sight, the
 * chronicle opens at the moment shown.
 * @param {HTMLElement} lines
 */
function keepLowest(lines) {
	let high = lines.clientHeight;
	const keep = () => {
		const now = /** @type {HTMLElement | undefined} */ ([...lines.querySelectorAll(".now")].at(-1));
		const low = now ? now.offsetTop + now.offsetHeight - lines.scrollTop : 0;
		lines.scrollTop += high - lines.clientHeight;
		// the shown step may have changed with the room, and been scrolled to in the new room
		if (!high || (low > 0 && low <= Math.max(high, lines.clientHeight))) {
			now?.scrollIntoView({ block: "nearest" });
		}
		high = lines.clientHeight;
	};
	new ResizeObserver(keep).observe(lines);
}

/** Marks a question that continues below its visible part. @param {HTMLElement} root */
function showMore(root) {
	const look = () =>
		root.toggleAttribute("data-more", root.scrollHeight - root.scrollTop - root.clientHeight > MORE_PX);
	const soon = () => requestAnimationFrame(look);
	root.addEventListener("scroll", look);
	new ResizeObserver(soon).observe(root);
	new MutationObserver(soon).observe(root, { childList: true, subtree: true });
}

/** @param {Parts} parts */
function recorded(parts) {
	const review = new Review(parts);
	const judged = inline ? undefined : judgedBeside(parts, review);
	return () => h("div", review.shown(), judged?.());
}

/** Asks the server for the turning points of the match; returns the view of them. @param {Parts} parts @param {Review} review */
function judgedBeside(parts, review) {
	addStyle({ href: "/css/judged.css" });
	/** @type {import("./judged.js").Judged | undefined} */
	let judged = undefined;
	const load = async () => {
		const { Judged } = await import("./judged.js");
		judged = new Judged(parts);
		review.turned = () => judged?.turned();
	};
	load().catch(() => {});
	return () => judged?.shown();
}

/** @param {Parts} parts @returns {(p: Words.Prompt) => Kid} */
function played(parts) {
	const { view } = parts;
	const ending = new Ending(parts);
	const ahead = new Ahead(parts);
	const notices = new Notices(parts);
	hearSounds(parts);
	hearOldLines(parts);
	const { kept, beside } = besideQuestion(parts, ahead);
	const seeField = fieldSeer();
	const look = (/** @type {Scene} */ scene) => {
		seeField(scene);
		notices.look(scene);
		ahead.look();
		kept.look();
	};
	view.seen.push(look, follower(view));
	if (view.scene) {
		look(view.scene);
	}
	new ResizeObserver(() => view.drawChronicle()).observe($("#lines"));
	keepInSight();
	const instead = { over: () => ending.shown(), past: () => toNow(parts) };
	return p => instead[/** @type {keyof typeof instead} */ (p.mode)]?.() ?? beside(p);
}

/** The controls beside a question: the result of the phase before, answers ahead, hints. @param {Parts} parts @param {Ahead} ahead */
function besideQuestion(parts, ahead) {
	const kept = keptBeside(parts);
	const hints = hintsBeside(parts);
	const sum = summedUp(parts);
	const { view } = parts;
	const beside = (/** @type {Words.Prompt} */ p) => {
		// the past phase is shown above the question
		$(".field", view.prompt.root)?.before(h("div", sum(p)));
		const keeps = p.mode === "wait" && !isBots(parts.live, p) && kept.shown();
		const more = [ahead.shown(p), keeps, takeback(parts, p), hints(p)];
		const footer = isNarrow() ? null : view.prompt.root.querySelector("footer");
		// beside what confirms they take no line of their own
		footer?.append(.../** @type {Node[]} */ (more.flat().filter(kid => kid instanceof Node)));
		return footer ? null : h("div.beside", more);
	};
	return { kept, beside };
}

/** One's own answers that the server keeps, loaded for players. @param {Parts} parts */
function keptBeside(parts) {
	/** @type {import("./standinganswers.js").StandingAnswers | undefined} */
	let kept = undefined;
	const load = async () => {
		const { StandingAnswers } = await import("./standinganswers.js");
		kept = new StandingAnswers(parts);
		kept.look();
	};
	if (mode === "play") {
		load().catch(() => {});
	}
	return { look: () => kept?.look(), shown: () => kept?.shown() };
}

/** The chronicle takes the whole rail until its button, L or Escape is pressed, or one's own next question comes. @param {import("./view.js").View} view */
function unfold(view) {
	const rail = $("#rail");
	const turn = (on = !rail.classList.contains("whole")) => {
		rail.classList.toggle("whole", on);
		sign.ariaPressed = String(on);
		view.drawChronicle();
	};
	const attrs = {
		onclick: () => turn(),
		"aria-pressed": "false",
		"aria-label": t("wholeChronicle"),
		title: t("wholeChronicle"),
	};
	const sign = button(".unfold", attrs, "⤢");
	$("#log").prepend(sign);
	let asked = view.scene?.prompt?.id;
	view.seen.push(({ prompt }) => {
		if (prompt?.mode === "you" && prompt.id !== asked) {
			turn(false);
		}
		asked = prompt?.id;
	});
	addEventListener("keydown", event => event.key === "Escape" && turn(false));
}

/** The button that takes back the last choice. @param {Parts} parts @param {Words.Prompt} p @returns {Kid} */
function takeback({ around, live, view }, p) {
	// what one has begun to answer is undone first: a takeback would lose it at one press
	const begun = view.prompt.answers.past.length > 0;
	if (p.mode !== "you" || live.seat < 0 || begun || !around.possible().takeBack) {
		return null;
	}
	const back = button(".ghost", { onclick: () => around.act("takeBack"), "data-o": "take|back" }, t("takeback"));
	const footer = view.prompt.root.querySelector("footer");
	if (!footer) {
		return h("p.ahead", back);
	}
	footer.append(back);
	return null;
}

/** On a phone a battle on a new field is shown from the top of the board. */
function fieldSeer() {
	let field = "";
	return (/** @type {Scene} */ scene) => {
		const now = JSON.stringify(scene.layouts.tall?.at.field ?? "");
		// the first field stays where its question needs it
		if (field && now !== field && isNarrow()) {
			$("#stagehost").scrollTop = 0;
		}
		field = now;
	};
}

/** Tells a viewer who looks back while the match continues which question waits, and how to return. @param {Parts} parts */
function toNow({ replay }) {
	return h("p.ahead", button(".ghost.tonow", { onclick: () => replay.jump(replay.n) }, t("toNow")));
}

/**
 * On a phone the chronicle and the tray are out of sight: the events since the previous question are shown under it.
 * @param {Parts} parts @param {(p: Words.Prompt) => Kid} more @returns {(p: Words.Prompt) => Kid}
 */
function latest(parts, more) {
	const { view } = parts;
	const since = newsOf(parts);
	let id = "";
	/** @type {[HTMLElement, Kid]} */
	let shown;
	return p => {
		if (isNarrow() && (p.mode === "over" || (p.mode === "you" && !p.forced))) {
			shown = id === p.id ? shown : since(p);
			id = p.id;
			const [row, sign] = shown;
			$("#ask").after(row);
			if (sign) {
				$("header", view.prompt.root).insertBefore(/** @type {Node} */ (sign), $(".wi", view.prompt.root));
			}
		}
		return more(p);
	};
}

/**
 * The events since the previous question, made once for each question: a row, and a sign for the head of the question if stakes or
 * the result of dice leave the row no room for sentences.
 * @param {Parts} parts @returns {(p: Words.Prompt) => [HTMLElement, Kid]}
 */
function newsOf({ steps, view }) {
	let n = view.lines().length;
	/** The last roll that was shown. */
	let was = "";
	/** The dice of the last question, which are not shown as news with the next one. @type {unknown} */
	let asked;
	return ({ also = "", ask, dice }) => {
		const roll = view.scene?.zones.tray?.geom.roll;
		const news = !dice && !asked && sameRoll(roll) !== was ? roll : undefined;
		const isSign = Boolean(also.length > BRIEF || news?.result);
		const lines = told(steps, view.lines().slice(n), [ask, ...also.split(/\.(?: |$)/)].filter(Boolean));
		const row = toldRow(lines, n, news || also ? 1 : TOLD, isSign);
		n = view.lines().length;
		was = sameRoll(roll);
		asked = dice;
		return [h("div", rolledRow(news), !isSign && row), isSign ? row : null];
	};
}

/** The key that distinguishes a roll from the next one, because every Scene repeats the last roll. @param {unknown} roll */
const sameRoll = roll => JSON.stringify(roll ?? "");

/** The result of a roll, after its dice; the steps that led to it are shown on demand. @param {any} roll */
function rolledRow(roll) {
	const [result = "", ...how] = roll?.result?.replace(ROWS, "").split(/(?=;)/) ?? [];
	const rest = how.length > 0 && h("span.rs", how);
	return roll && h("div.rolled.news", h("span.rs", roll.title), roll.groups.map(diceGroup), h("span", result, rest));
}

/** A line, and whether it tells of a death. @typedef {{ text: string, isHeavy: boolean }} Told */

/**
 * The lines about a player whose content is not in the question already. A line about nobody only frames the events.
 * @param {import("./steps.js").Steps} steps @param {{ line: Words.Line, at: number }[]} lines @param {string[]} said the question and its stakes @returns {Told[]}
 */
function told({ time }, lines, said) {
	const about = lines.filter(({ line }) => "seat" in line && line.k !== "why");
	return about.flatMap(({ line, at }, i) => {
		const text = plainText(line).replace(ROWS, "");
		// a blow that takes all has a word, and the last line of its step says so
		const dies = time?.steps[at - 1]?.cues?.some(cue => cue.k === "hit" && cue.t);
		const isSaid = said[0].includes(text) || said.some(one => text.startsWith(one));
		return isSaid ? [] : [{ text, isHeavy: Boolean(dies) && about[i + 1]?.at !== at }];
	});
}

/**
 * The last lines, and deaths before them; a press opens the chronicle at the first of them.
 * @param {Told[]} told @param {number} first the line of the chronicle with which it begins @param {number} most the most lines
 * @param {boolean} isSign whether it is a sign with the number of lines, beside the stakes
 */
function toldRow(told, first, most, isSign) {
	const n = told.length - most;
	const heavy = told.filter(({ isHeavy }) => isHeavy);
	const kept = [...told.filter(one => !heavy.includes(one)), ...heavy].slice(-most);
	const text = told.filter(one => kept.includes(one)).map(one => one.text);
	const more = n > 0 && h("u", t("moreLines", { n }));
	const onclick = () => openLine(first);
	if (isSign) {
		return (
			told.length > 0 &&
			button(".since", { onclick }, h("span.vh", text.join(" "), " ", more), t("newLines", { n: told.length }))
		);
	}
	return told.length > 0 && button(".also", { onclick }, text.join(" "), " ", more);
}

/** Shows the chronicle from a line on. @param {number} i */
function openLine(i) {
	showPanel("log");
	// it scrolls to the moment shown, in the frame after the one in which it gets its height
	const go = () => $("#lines").children[i]?.scrollIntoView();
	requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go)));
}

/** Hints, if the match allows them. @param {Parts} parts @returns {(p: Words.Prompt) => Kid} */
function hintsBeside({ around, ...parts }) {
	/** @type {import("./hints.js").Hints | undefined} */
	let hints = undefined;
	let asked = false;
	const load = async () => {
		const { Hints } = await import("./hints.js");
		hints = new Hints({ around, ...parts });
		parts.view.prompt.draw();
	};
	return p => {
		if (around.table.hints && !asked) {
			asked = true;
			load().catch(() => {});
		}
		return hints?.shown(p);
	};
}

/** On a phone the board scrolls to newly drawn arrows, so that an attack is seen. @param {import("./view.js").View} view */
function follower(view) {
	let shown = "";
	return (/** @type {Scene} */ scene) => {
		const links = Object.values(scene.links ?? {});
		const drawn = links.map(({ from, to }) => `${from} ${to}`).join();
		if (isNarrow() && links.length > 0 && drawn !== shown) {
			requestAnimationFrame(() => view.board.node(links[0].to)?.scrollIntoView({ block: "center" }));
		}
		shown = drawn;
	};
}

/** Also links lines of the chronicle that are older than the page to their moments. @param {Parts} parts */
function hearOldLines(parts) {
	const lines = $("#lines");
	lines.addEventListener("click", async event => {
		const row = /** @type {HTMLElement} */ (event.target).closest("#lines > *");
		if (row && !row.hasAttribute("data-at") && getSelection()?.isCollapsed) {
			(await import("./earlier.js")).goEarlier(parts, [...lines.children].indexOf(row));
		}
	});
}

/** Sounds are loaded when they are turned on. @param {Parts} parts */
function hearSounds(parts) {
	let on = false;
	const load = async () => {
		if (prefs.sound && !on) {
			on = true;
			(await import("./sounds.js")).hear(parts);
		}
	};
	addEventListener("setting", load);
	load();
}
