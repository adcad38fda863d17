// The view of a table: board, prompt, plates, chronicle, inspector and text, all of one Scene.
import { Board } from "./board.js";
import { $, clear, h, refOf } from "./dom.js";
import { bringInSight, isNarrow, mode, say, showPanel } from "./page.js";
import { drawInfo, drawLog, drawSeats } from "./panels.js";
import { prefs } from "./prefs.js";
import { Prompt } from "./prompt.js";
import { draftRef, refsOf } from "./answers.js";
import { plainText } from "./scene.js";
import { t } from "./strings.js";

const VIBRATION_MS = 8;
/** The least time for which a decision with one answer is shown; the exact time is random and reveals nothing. */
const OBEY_MS = 700;
/** How an item of a draft lies on its slot. */
const DRAFTED = { dockSize: 0.47, hang: 0.06, z: 1, state: ["draft"] };

/**
 * The view's calls to its page.
 * @typedef {object} ViewApi
 * @property {(decision: string, choice: Answer) => void} answer
 * @property {(prompt: Words.Prompt) => Kid} extra the part beside the question
 * @property {(scene: Scene) => Words.Prompt | undefined} prompted the prompt as it is to be shown
 * @property {() => Set<number> | undefined} there the seats whose players are connected, if that is known @property {() => boolean}
 * isAlone whether all other players are bots: nobody learns anything from a quick answer
 * @property {import("./tablestate.js").TableState} around
 * @property {(step: number) => void} jump
 */

/** Lets the keyboard move from line to line of the chronicle, and to the moment of a line. @param {HTMLElement} root @param {KeyboardEvent} event */
function walk(root, event) {
	const on = /** @type {HTMLElement} */ (event.target);
	const ways = {
		ArrowUp: () => on.previousElementSibling ?? root.lastElementChild,
		ArrowDown: () => (on === root ? root.firstElementChild : on.nextElementSibling),
	};
	const to = /** @type {Record<string, () => Element | null>} */ (ways)[event.key]?.();
	if (to) {
		/** @type {HTMLElement} */ (to).focus();
	} else if (event.key === "Enter" && on !== root) {
		on.click();
	} else {
		return;
	}
	event.preventDefault();
	event.stopPropagation();
}

export class View {
	/** @type {Scene | undefined} */
	scene = undefined;
	/** The ref to which the inspector returns. @type {string | null} */
	pinned = null;
	/** The prompt that was announced last. @type {string | undefined} */
	announced = undefined;
	info = $("#info");
	/** The animations beside the change of the table, once they are loaded. @type {Pick<import("./anim.js").Fx, "speed" | "busy" | "run" | "skip">} */
	fx = { speed: 1, busy: false, run: async () => {}, skip: () => {} };
	/** The whole chronicle. @type {() => Told[]} */
	lines = () => [];
	/** The callbacks for each Scene that is shown. @type {((scene: Scene) => void)[]} */
	seen = [];

	/** @param {ViewApi} api */
	constructor(api) {
		this.api = api;
		this.prompt = new Prompt($("#prompt"), {
			mark: (sets, hot) => this.mark(sets, hot),
			answer: (decision, choice) => api.answer(decision, choice),
			draft: list => this.showDraft(list),
			extra: api.extra,
		});
		this.board = this.newBoard();
		this.setSpeed(prefs.speed);
		import("./anim.js").then(({ Fx }) => {
			this.fx = new Fx(this.board, this.fx.speed);
		});
		this.hearLines();
		import("./pressguard.js").then(({ hearNoHaste }) => hearNoHaste(this));
		import("./presses.js").then(({ hearChips, hearPresses }) => {
			hearPresses(this.board);
			hearChips(this);
		});
	}

	newBoard() {
		return new Board($("#stagehost"), {
			hover: ref => this.touch(ref),
			focus: ref => this.touch(ref),
			read: ref => {
				this.inspect(ref, true);
				if (!this.info.matches(".empty")) {
					showPanel("info");
				}
				navigator.vibrate?.(VIBRATION_MS);
			},
			pick: (ref, finger) => this.pick(ref, finger),
			resized: () => {
				if (this.prompt.p) {
					this.board.mark(this.sets());
					// what a finger has chosen must not move away from under it
					if (!this.prompt.armed) {
						this.showAsked();
					}
				}
			},
		});
	}

	/** Makes a line of the chronicle mark its subjects, and lead to its moment. */
	hearLines() {
		const lines = $("#lines");
		for (const kind of ["pointerover", "focusin"]) {
			lines.addEventListener(kind, event => {
				const ref = refOf(event);
				const now = this.sets();
				if (ref) {
					now.hint.add(ref);
					this.inspect(ref);
				}
				this.board.mark(now);
			});
		}
		lines.addEventListener("click", event => {
			const line = /** @type {HTMLElement} */ (event.target).closest("[data-at]");
			if (line && getSelection()?.isCollapsed) {
				this.api.jump(Number(line.getAttribute("data-at")));
			}
		});
		lines.addEventListener("keydown", event => walk(lines, event));
	}

	/** @param {number} speed */
	setSpeed(speed) {
		this.fx.speed = speed;
		this.board.speed = speed;
	}

	/** @param {string | null | undefined} ref */
	touch(ref) {
		this.prompt.touch(ref);
		this.inspect(ref);
	}

	/** Chooses the clicked thing, or shows it in the inspector. @param {string | null} ref @param {boolean} [finger] */
	pick(ref, finger) {
		if (ref && this.prompt.pick(ref, finger)) {
			showPanel("prompt");
			if (this.prompt.armed) {
				this.inspect(ref, true);
				// the option's consequences are read before it is confirmed
				$(".opt.on", this.prompt.root)?.scrollIntoView();
			}
			return true;
		}
		if (!ref) {
			this.inspect(null, true);
			// a press on an empty place ends the reading
			showPanel("prompt");
			this.prompt.back();
			return false;
		}
		this.inspect(ref, true);
		// beside everything that there is to be read, the question stays
		if (isNarrow()) {
			showPanel(this.info.matches(".empty") ? "prompt" : "info");
		}
		return false;
	}

	sets() {
		return this.prompt.sets();
	}

	/** @param {RefSets} sets @param {Choosable | string | null} [hot] the option that is pointed at; undefined: the answer has changed */
	mark(sets, hot) {
		const option = hot ? /** @type {Words.Option} */ (hot) : undefined;
		const path = refsOf(option);
		const from = option?.from || (path.length > 1 ? path[0] : null);
		this.board.hot = from && path.length ? { from, to: path[path.length - 1] } : null;
		this.board.mark(sets);
		if (this.scene) {
			this.board.drawLinks(this.scene);
		}
		if (hot === undefined) {
			this.drawTexts();
		}
	}

	/** @param {string | null | undefined} ref @param {boolean} [pin] */
	inspect(ref, pin) {
		if (pin) {
			this.pinned = ref ?? null;
		}
		if (this.scene) {
			drawInfo(this.info, this.scene, ref || this.pinned);
		}
	}

	drawTexts() {
		const shown = [$("#textboard"), $("#textfirst")].filter(el => !el.hidden);
		if (this.scene && shown.length) {
			this.writeTexts(shown);
		}
	}

	/** @param {HTMLElement[]} shown the elements that show the board as text */
	async writeTexts(shown) {
		const { drawText } = await import("./textboard.js");
		for (const el of shown) {
			drawText(el, /** @type {Scene} */ (this.scene), this.sets(), ref => this.prompt.pick(ref));
		}
	}

	/** Shows an assignment that has not been sent on its slots, in this page only. @param {Drafted[]} list */
	showDraft(list) {
		const { board, scene } = this;
		const shown = list.filter(({ piece, slot }) => piece && slot && (!piece.at || scene?.pieces[piece.at]));
		if (!scene || (!shown.length && !board.drafted)) {
			return;
		}
		board.drafted = shown.length > 0;
		const pieces = { ...scene.pieces };
		for (const { piece, slot = "", dock } of shown) {
			const item = piece?.at || draftRef(piece ?? { id: "" });
			const [zone, key] = slot.split("#");
			const lying = key ? { zone, slot: key, state: ["draft"] } : { on: slot, dock: dock || "br", ...DRAFTED };
			pieces[item] = /** @type {Words.Piece} */ ({ ...(pieces[item] ?? this.ghost(piece)), ...lying });
		}
		board.render({ ...scene, pieces });
		board.mark(this.sets());
	}

	/** A piece that only the present draft of an answer puts on the board. @param {Words.Item | undefined} item */
	ghost({ label = "", g = "" } = { id: "", label: "" }) {
		const owner = this.scene?.viewer.seat ?? 0;
		return { kind: "draft", shape: "card", face: "up", owner, glyph: g, title: label, label };
	}

	/** @param {Scene} next @param {{ instant?: boolean }} [how] without animation */
	show(next, { instant } = {}) {
		this.scene = next;
		if (next.english) {
			import("./untranslated.js").then(marks => marks.mark(next.english));
		}
		const yours = next.prompt?.mode === "you" && mode === "play";
		document.title = `${yours ? "● " : ""}${next.title} · Herald`;
		$("#game").textContent = next.title;
		const crumbs = next.crumbs.map(crumb => h("span", crumb));
		clear($("#crumbs"), crumbs);
		this.drawPlates();
		this.board.drafted = false;
		if (!$("#stagehost").hidden) {
			this.board.render(next, { instant });
		}
		this.showPrompt(next);
		this.drawChronicle();
		this.drawTexts();
		this.inspect(null);
		this.seen.forEach(look => look(next));
	}

	/** @param {Scene} next */
	showPrompt(next) {
		const { prompt } = this;
		const shown = this.api.prompted(next);
		const isNew = prompt.set(shown, next);
		this.board.mark(this.sets());
		if (isNew && shown?.mode === "you") {
			this.announce(shown);
			this.obey(shown);
		}
		if (isNew && shown?.mode === "over") {
			// the last line is announced with its step
			const told = plainText(next.log?.at(-1));
			const more = [shown.phase, shown.ask.replace(told, "").trim(), shown.also];
			const said = more.filter(text => text && !told.includes(text.replace(/\.$/, "")));
			say(said.join(" "));
		}
		const drafts = prompt.mine() ? prompt.drafts() : [];
		if (drafts.length) {
			this.showDraft(drafts);
		}
	}

	drawChronicle() {
		drawLog($("#lines"), this.lines(), this.scene?.log?.length ?? 0);
	}

	drawPlates() {
		const { scene } = this;
		if (!scene) {
			return;
		}
		const own = scene.viewer.seat ?? 0;
		const others = Object.keys(scene.seats)
			.map(Number)
			.filter(seat => seat !== own);
		const there = this.api.there();
		drawSeats($("#seats-top"), scene, others, there, this.api.around);
		drawSeats($("#seats-me"), scene, [own], there, this.api.around);
	}

	/** Gives the only answer after a moment, unless the player answers first or wants to be asked. @param {Words.Prompt} p */
	obey(p) {
		const { prompt } = this;
		const wait = OBEY_MS * (1 + Math.random());
		setTimeout(() => {
			const isForced = p.forced || (this.api.isAlone() && prompt.isSole());
			if (isForced && prefs.auto && prompt.p?.id === p.id && prompt.mine()) {
				say(prompt.obey());
				// that nothing could be chosen is worth no line where it is asked so often
				prompt.note = p.forced ? prompt.note : "";
			}
		}, wait);
	}

	/** Scrolls the board to the subject of the question. */
	showAsked() {
		const [first] = this.prompt.fields()[0]?.options ?? [];
		this.board.showAsked(first?.from);
	}

	/** Announces that it is one's move. @param {Words.Prompt} p */
	announce(p) {
		const { stage } = this.board;
		stage.classList.remove("fresh");
		requestAnimationFrame(() => {
			stage.classList.add("fresh");
			if (isNarrow()) {
				showPanel("prompt");
				// the subject of a lesson is scrolled to last, and stays in sight
				this.showAsked();
				bringInSight();
			}
		});
		const n = this.prompt.root.querySelectorAll(".opt,.chip").length;
		if (this.announced !== p.id) {
			say([`${t("yours")}.`, p.ask, p.also, n && t("options", { n })].filter(Boolean).join(" "));
		}
		this.announced = p.id;
	}
}
