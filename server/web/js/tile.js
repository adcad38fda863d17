// One board of the wall: a match under way as its spectators see it, small, with the last event.
import { Board } from "./board.js";
import { $, h, reduced } from "./dom.js";
import { addSheet } from "./glyph.js";
import { plainText } from "./scene.js";
import { t } from "./strings.js";

/** @typedef {import("../client/match.js").Match} Match */
/** @typedef {import("../client/server.js").Server} Server */

/** Cues that show that something happens. */
const LOUD = new Set(["hit", "roll", "banner", "flip"]);
const FIRST_MS = 2000;
const LONGEST_MS = 60_000;
/** The least width for which a board is laid out. */
const LEAST_PX = 820;
/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** The glyphs of a game, asked for once. @param {string} name */
export function sheet(name) {
	const known = sheets.get(name) ?? fetched(name);
	sheets.set(name, known);
	// a sheet that could not be fetched is requested again
	known.catch(() => sheets.delete(name));
	return known;
}

/** @param {string} name */
async function fetched(name) {
	const answer = await fetch(`/glyphs/${encodeURIComponent(name)}.json`);
	addSheet(answer.ok ? await answer.json() : {});
}

/** A measure of how much happened in some steps. @param {Step[]} steps */
function loudness(steps) {
	const heads = steps.flatMap(step => step.log ?? []).filter(line => line.k === "head").length;
	const cues = steps.flatMap(step => step.cues ?? []).filter(cue => LOUD.has(cue.k)).length;
	return heads + cues;
}

/** The Scene in its wide layout, which a small board uses too. @param {Scene} scene @returns {Scene} */
function wide(scene) {
	const { layouts } = scene;
	return /** @type {Scene} */ ({ ...scene, layouts: { wide: layouts.wide ?? Object.values(layouts)[0] }, log: [] });
}

/** @param {number} ms */
const later = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms * (0.7 + 0.6 * Math.random()));
	});

/**
 * The events of a tile for the wall.
 * @typedef {object} TileEvents
 * @property {(tile: Tile, loud: number) => void} happened
 * @property {(tile: Tile) => void} chosen the button was pressed that enlarges it
 */

export class Tile {
	isLarge = false;
	isGone = false;
	isOver = false;
	said = "";
	/** @type {Match | undefined} */
	shown = undefined;

	/** @param {Wire.MatchInfo} info @param {string} lang @param {TileEvents} on */
	constructor(info, lang, on) {
		this.info = info;
		this.lang = lang;
		this.on = on;
		const made = /** @type {HTMLTemplateElement} */ ($("#tile")).content.cloneNode(true);
		this.el = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (made).firstElementChild);
		const link = /** @type {HTMLAnchorElement} */ ($("a", this.el));
		link.href = `/watch#m=${info.match}`;
		link.textContent = info.seats.map(seat => seat.name || t("seatN", { n: seat.seat + 1 })).join(" – ");
		/** The button that enlarges the tile; an embedded board has none. @type {HTMLElement | null} */
		this.button = this.el.querySelector(".large");
		this.button?.addEventListener("click", () => on.chosen(this));
		this.enlarge(false);
		this.board = this.newBoard();
	}

	/** Names the players that the heading does not know yet. @param {Scene} scene */
	call({ seats }) {
		const link = $("a", this.el);
		link.textContent ||= Object.values(seats)
			.map(plate => plate.name)
			.join(" – ");
	}

	newBoard() {
		const nothing = () => {};
		const on = { hover: nothing, focus: nothing, read: nothing, pick: () => false, resized: nothing };
		new ResizeObserver(() => this.fit()).observe($(".frame", this.el));
		return new Board($(".stagehost", this.el), on);
	}

	/** A board with little room is laid out in a larger one, then scaled down as a whole. */
	fit() {
		const { clientWidth, clientHeight } = $(".frame", this.el);
		const scale = Math.min(1, clientWidth / LEAST_PX);
		const { style } = $(".stagehost", this.el);
		Object.assign(style, { width: `${clientWidth / scale}px`, height: `${clientHeight / scale}px`, scale });
	}

	/** @param {boolean} large */
	enlarge(large) {
		this.isLarge = large;
		this.el.classList.toggle("enlarged", large);
		if (!this.button) {
			return;
		}
		this.button.textContent = t(large ? "smaller" : "larger");
		this.button.ariaPressed = String(large);
		this.button.ariaLabel = `${this.button.textContent}: ${$("a", this.el).textContent}`;
	}

	/** Shows the match live; reconnects after a break for as long as the tile exists, with a longer pause each time. @param {Server} server */
	async follow(server) {
		for (let wait = FIRST_MS; !this.isGone; wait = Math.min(LONGEST_MS, 2 * wait)) {
			try {
				await this.watch(server);
			} catch (wrong) {
				if (this.shown?.verifier?.fault) {
					this.say(t("recordLies", { why: this.shown.verifier.fault.message }));
					return;
				}
				this.say(t("overlayWaits", { why: wrong instanceof Error ? wrong.message : "" }));
			}
			await later(wait);
		}
	}

	/** @param {Server} server */
	async watch(server) {
		const shown = await server.watch(this.info.match, { lang: this.lang, stay: true });
		this.shown = shown;
		try {
			await this.take(shown);
		} finally {
			// closed after every fault, because the next attempt opens another match
			shown.close();
		}
	}

	/** @param {Match} shown */
	async take(shown) {
		await Promise.all([sheet("core"), sheet(shown.welcome.game)]);
		for await (const news of shown) {
			if (this.isGone) {
				return;
			}
			if (news.kind === "shown") {
				this.draw(news.scene, news.steps);
			} else if (news.kind === "lost") {
				this.say(t("offline"));
			} else if (news.kind === "ended") {
				this.isOver = true;
			}
		}
	}

	/** @param {string} text */
	say(text) {
		this.said = text;
		$(".said", this.el).textContent = text;
	}

	/** @param {Scene} scene @param {Step[]} steps */
	draw(scene, steps) {
		this.call(scene);
		this.board.render(wide(scene), { instant: !this.isLarge || reduced() });
		$(".where", this.el).textContent = [scene.title, ...scene.crumbs.slice(1)].join(" · ");
		const last = (scene.log ?? []).filter(line => (line.k ?? "line") === "line" || line.k === "head").at(-1);
		this.say(plainText(last));
		$(".said", this.el).lang = last?.lang ?? this.lang;
		const loud = loudness(steps);
		if (loud) {
			this.on.happened(this, loud);
		}
	}

	/** Ends a tile that the wall no longer shows. */
	leave() {
		this.isGone = true;
		this.shown?.close();
		this.el.remove();
	}
}

/** The last event at a table, for a screen reader. @param {Tile} tile */
export const heard = tile => `${$("a", tile.el).textContent}: ${tile.said}`;

/** Shows for a moment a mark that something happens. @param {Tile} tile */
export function flash(tile) {
	const mark = h("span.loud", { "aria-hidden": true });
	$("header", tile.el).append(mark);
	setTimeout(() => mark.remove(), FIRST_MS);
}
