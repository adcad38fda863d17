// The chat at the table, and the people who are muted.
import { $, h, button, inputAt } from "./dom.js";
import { t } from "./strings.js";

/** Lines of chat that a report can name. */
const REPORTED_MOST = 50;

export class Chat {
	/** Called with each new line. @type {(line: Wire.ChatLine) => void} */
	heard = () => {};

	/** @param {import("./tablestate.js").TableState} around */
	constructor(around) {
		this.around = around;
		const { api, muted } = around;
		this.muted = muted;
		this.lines = $("#chatlines");
		this.form = $("#chat form");
		const line = inputAt("#chat input");
		this.form.onsubmit = event => {
			event.preventDefault();
			const text = line.value.trim();
			if (text) {
				api.send({ t: "chat", text });
			}
			line.value = "";
		};
		// a property that returned false here would keep every other key out of the line
		line.addEventListener("keydown", ({ key }) => key === "Escape" && line.blur());
	}

	/** @param {Wire.ChatLine} line */
	nameOf(line) {
		if (line.name) {
			return line.name;
		}
		return line.who.startsWith("seat") ? this.around.api.name(Number(line.who.slice(4))) : t("spectator");
	}

	/** @param {Wire.Said} m */
	said({ lines }) {
		for (const line of lines) {
			if (!this.muted.has(line.who) && !this.lines.querySelector(`[data-n="${line.n}"]`)) {
				this.lines.append(this.shown(line));
				this.heard(line);
			}
		}
		this.lines.scrollTop = this.lines.scrollHeight;
	}

	/** Names the speakers anew: a line may come before the holders of the seats are known. */
	named() {
		for (const p of this.lines.querySelectorAll("[data-who^=seat]")) {
			const who = p.getAttribute("data-who") ?? "";
			const name = this.nameOf({ n: 0, at: 0, text: "", who });
			const [said, mute] = [p.querySelector("b"), p.querySelector(".mute")];
			said?.replaceChildren(name);
			mute?.setAttribute("title", t("mute", { name }));
			mute?.setAttribute("aria-label", t("mute", { name }));
		}
	}

	/** @param {Wire.ChatLine} line */
	shown({ n, who, text }) {
		const name = this.nameOf({ n, at: 0, text, who });
		/** @param {string} key @param {string} sign @param {() => void} onclick */
		const small = (key, sign, onclick) => {
			const title = t(key, { name });
			return button(`.mute.${key}`, { title, "aria-label": title, onclick }, sign);
		};
		const report = () => {
			const why = prompt(t("reportWhy", { name }));
			if (why) {
				this.around.api.send({ t: "report", why, who, lines: [n] });
			}
		};
		const acts = [small("mute", "×", () => this.mute(who)), small("report", "!", report)];
		const others = who === `seat${this.around.mine}` ? [] : acts;
		return h("p", { "data-n": n, "data-who": who }, h("b", name), ": ", text, " ", others);
	}

	/** Reports the match to the staff, with the last lines shown here as evidence. */
	reportMatch() {
		const why = prompt(t("reportMatchWhy"));
		const lines = [...this.lines.querySelectorAll("[data-n]")].map(line => Number(line.getAttribute("data-n")));
		if (why) {
			this.around.api.send({ t: "report", why, lines: lines.slice(-REPORTED_MOST) });
		}
	}

	/** @param {string} who */
	mute(who) {
		this.muted.add(who);
		this.around.api.send({ t: "mute", who });
		for (const line of this.lines.querySelectorAll(`[data-who="${who}"]`)) {
			line.remove();
		}
	}
}
