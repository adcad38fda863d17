// A match as a replay: a bundle, and beside it the record to check.
import { Connection, socketAt } from "../client/connection.js";
import { gone, here, inline, lead, match, ready, sheet } from "./page.js";
import { showWhen } from "./seal.js";
import { language, t } from "./strings.js";

/** @typedef {import("./live.js").LiveParts} Parts */

export class Recorded {
	/** @type {Bundle | undefined} */
	bundle = undefined;

	/** @param {Parts} parts @param {import("./live.js").Live} live receives the answers about branches */
	constructor(parts, live) {
		this.parts = parts;
		this.live = live;
	}

	/** Shows a viewpoint, at a line or at the beginning. @param {string} view @param {number} [seq] */
	startView(view, seq) {
		const { bundle } = this;
		if (!bundle) {
			return;
		}
		const { replay, steps, view: table } = this.parts;
		const track = bundle.tracks[view];
		const time = steps.begin(track.scene, track.steps);
		steps.at = seq ? time.find(seq) : time.opening();
		replay.views(bundle.views, view);
		replay.setup(time.length, bundle.marks?.length ? bundle.marks : time.headings());
		table.show(time.at(steps.at), { instant: true });
		replay.show(steps.at);
	}

	/** The bundle of the page, or of the match that its address names. @returns {Promise<Bundle | null>} */
	async read() {
		if (inline) {
			return (await import("./untranslated.js")).told(JSON.parse(inline.textContent));
		}
		const answer = await fetch(`/api/bundle/${encodeURIComponent(match)}?lang=${language}`);
		if (!answer.ok) {
			return null;
		}
		/** @type {Bundle} */
		const bundle = await answer.json();
		await Promise.all(bundle.glyphs.map(sheet));
		return bundle;
	}

	async open() {
		const bundle = await this.read();
		if (!bundle) {
			gone(t("noMatch"), t("noTable"), t("toLobby"));
			return;
		}
		this.bundle = bundle;
		const want = here.get("view") ?? "";
		const view = bundle.tracks[want] ? want : bundle.views[0][0];
		this.startView(view, Number(here.get("seq")));
		ready();
		const { check } = this.parts;
		if (bundle.record) {
			check.welcome(bundle.record);
			check.events(bundle.record);
		}
		if (!inline) {
			this.connect();
			const found = await fetch(`/api/commentary/${encodeURIComponent(match)}`);
			const has = found.ok && (await found.json()).tracks.length;
			lead("listen", has && `/follow#m=${match}&talk=`);
		}
	}

	/** Fetches the record's lines, to check them, and asks for branches. */
	connect() {
		const { live } = this;
		const { check } = this.parts;
		/** @type {import("../client/connection.js").ConnectionEvents} */
		const on = {
			message: m => {
				if (m.t === "welcome") {
					if (here.has("check")) {
						showWhen(m.head.seq);
					}
					check.welcome(m);
				} else if (m.t === "events") {
					check.events(m);
				} else if (["games", "created", "error", "judged"].includes(m.t)) {
					live.handlers[m.t](m);
				}
			},
			state: () => {},
		};
		/** @returns {ClientMessage[]} */
		const greeting = () => [{ t: "hello", match, as: "spectator", since: check.seq, lang: language }];
		live.connection = new Connection(greeting, on, socketAt(match));
	}
}
