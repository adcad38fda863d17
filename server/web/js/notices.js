// Notices for a player who looks elsewhere: messages of the system when it is one's move, a mark on unread chat.
import { $, h } from "./dom.js";
import { match, mode } from "./page.js";
import { prefs, setPref } from "./prefs.js";
import { t } from "./strings.js";

/** @typedef {import("./comforts.js").Parts} Parts */

const READ = `herald.read/${match}`;

export class Notices {
	/** The last question of which the player was notified. */
	told = "";
	/** Unread lines of chat. @type {Set<number>} */
	unread = new Set();
	/** The last line of chat that was read. */
	read = Number(localStorage.getItem(READ));

	/** @param {Parts} parts */
	constructor(parts) {
		this.around = parts.around;
		addEventListener("setting", event => this.asked(/** @type {CustomEvent<string>} */ (event).detail));
		this.hearChat();
	}

	// --- messages of the system ---

	/** The browser asks for permission only when the player turns notifications on. @param {string} name */
	async asked(name) {
		if (name !== "notify" || !prefs.notify) {
			return;
		}
		const leave = "Notification" in window ? await Notification.requestPermission() : "denied";
		if (leave !== "granted") {
			setPref("notify", false);
			/** @type {HTMLInputElement} */ ($("#settings [name=notify]")).checked = false;
			$("#settings .quiet").textContent = t("notifyDenied");
		}
	}

	/** Notifies the player that it is their move, if the page is not in view. @param {Scene} scene */
	look({ prompt, title }) {
		const yours = mode === "play" && prompt?.mode === "you";
		if (!yours || this.told === prompt.id) {
			return;
		}
		this.told = prompt.id;
		if (prefs.notify && !document.hasFocus() && "Notification" in window && Notification.permission === "granted") {
			this.tell(title, prompt.ask);
		}
	}

	/** @param {string} title @param {string} body */
	tell(title, body) {
		const told = new Notification(`${t("yourMove")}: ${title}`, { body, tag: match, icon: "/icon.svg" });
		told.onclick = () => {
			focus();
			told.close();
		};
	}

	// --- chat ---

	async hearChat() {
		const chat = await this.around.chat();
		for (const line of chat.lines.children) {
			this.line(Number(line.getAttribute("data-n")), line.getAttribute("data-who") ?? "");
		}
		chat.heard = line => this.line(line.n, line.who);
		for (const tab of document.querySelectorAll("#logtabs button,#sheet button")) {
			tab.addEventListener("click", () => this.looked());
		}
		addEventListener("focus", () => this.looked());
	}

	/** Whether the last line of chat is in view. */
	sees() {
		return $("#chat").checkVisibility() && !document.hidden;
	}

	/** @param {number} n @param {string} who */
	line(n, who) {
		if (this.sees()) {
			this.keep(n);
		} else if (n > this.read && who !== `seat${this.around.mine}`) {
			this.unread.add(n);
			this.mark();
		}
	}

	/** @param {number} n */
	keep(n) {
		this.read = Math.max(n, this.read);
		localStorage.setItem(READ, String(this.read));
	}

	looked() {
		if (this.unread.size && this.sees()) {
			this.keep(Math.max(...this.unread));
			this.unread.clear();
			this.mark();
		}
	}

	/** Marks the chat's own tab, and that of the chronicle, which contains the chat on a phone. */
	mark() {
		for (const tab of [$("[aria-controls=chat]"), $("#sheet [aria-controls=log]")]) {
			$(".unread", tab)?.remove();
			if (this.unread.size) {
				const n = this.unread.size;
				tab.append(h("span.unread", { title: t("unread", { n }) }, n, h("span.vh", t("unread", { n }))));
			}
		}
	}
}
