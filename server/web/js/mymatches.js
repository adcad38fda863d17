// A person's own matches over all devices, and the invitations between persons, on the page of the account.
import { button, h } from "./dom.js";
import { isAgreed } from "./firstrated.js";
import { newToken, sitDown } from "./opponent.js";
import { myMatches, replayLink, seatLink } from "./prefs.js";
import { t, when } from "./strings.js";
import { termsTold } from "./terms.js";

const MINUTE_MS = 60_000;
/** Minutes of a day. */
const DAY_MIN = 1440;
const GROUPS = ["yours", "waiting", "open", "finished"];
/** The group of finished matches without a result, which has a separate number because they do not count anywhere. */
const VOID = "void";
const shown = { group: "", text: "" };

/** @typedef {import("./account.js").Door} Door */
/** @typedef {(act: () => Promise<unknown>) => Promise<void>} Tried does something, and shows the reason if it was refused */

/** @param {string} group */
const groupName = group => t(`group.${group}`);

/** This browser's way into a seat, if it has one. @param {Wire.MyMatch} match */
const heldOf = ({ match, seat }) => myMatches().find(one => one.match === match && one.seat === seat && one.token);

/** The control that opens a match: a link to its replay or to one's own seat, or a button that moves the seat to this device. @param {Wire.MyMatch} of @param {(match: Wire.MyMatch) => void} enter */
function opened(of, enter) {
	const held = heldOf(of);
	if (of.group !== "finished" && !held) {
		return button(".go", { onclick: () => enter(of) }, t("goOnHere"));
	}
	const href = held && of.group !== "finished" ? seatLink(of.match, held.token, held.key) : replayLink(of.match);
	return h("a.ghost", { href }, t(of.group === "finished" ? "replay" : "openMatch"));
}

/** A number with its sign. @param {number} n */
const signed = n => `${n < 0 ? "−" : "+"}${Math.abs(Math.round(n))}`;

/** How long a match took. @param {number} ms */
function lasted(ms) {
	const minutes = Math.round(ms / MINUTE_MS);
	/** @type {[string, number]} */
	const [key, n] = minutes < DAY_MIN ? ["lastedMinutes", minutes] : ["lastedDays", Math.round(minutes / DAY_MIN)];
	return t(key, { n });
}

/** The state of a match: whose move it is and the time left, or one's own result. @param {Wire.MyMatch} match */
function standing({ group, due_ms = 0, outcome, change, created_ms, changed_ms }) {
	const words = [outcome ? t(`outcome.${outcome}`) : groupName(group)];
	if (change != null) {
		words.push(t("ratingChange", { n: signed(change) }));
	}
	if (group === "finished") {
		words.push(lasted(changed_ms - created_ms));
	}
	if (due_ms) {
		words.push(t("dueAt", { time: when(due_ms) }));
	}
	return words.join(", ");
}

/** @param {Wire.MyMatch} match @param {MyMatches} of */
function matchRow(match, of) {
	const { tried, titles } = of;
	const again = () => tried(() => of.again(match));
	const enter = () => confirm(t("goOnSure")) && tried(() => of.enter(match));
	const isOver = match.group === "finished";
	const record = `/api/record/${match.match}`;
	const isTwo = match.players.length === 2;
	return h(
		match.group === "yours" ? "li.row.yours" : "li.row",
		h("span.ttl", match.title || titles.get(match.game) || match.game),
		h(
			"span.who",
			match.players.map(name => name || "…").join(" – "),
			match.listed === false && `, ${t("unlistedMatch")}`,
		),
		h("span.who", `${standing(match)}, ${when(match.changed_ms)}`),
		opened(match, enter),
		isOver && h("a.ghost", { href: replayLink(match.match, 0, `p${match.seat}`) }, t("review")),
		isOver && h("a.ghost", { href: `${replayLink(match.match)}&check` }, t("checkRecord")),
		isOver && h("a.ghost", { href: record, download: `${match.match}.jsonl` }, t("saveRecord")),
		isOver && isTwo && match.change != null && button(".ghost", { onclick: again }, t("onceMore")),
	);
}

/** @param {MyMatches} of @param {Wire.InvitationTold} told */
function invitationRow(of, { invitation, handle, game, at_ms, mine, options, time, rated }) {
	const { door, tried, titles } = of;
	const title = titles.get(game) ?? game;
	const end = () => tried(() => door.ask("answer-invitation", { invitation }).then(() => of.draw()));
	const accept = () =>
		tried(async () => {
			if (rated && !(await isAgreed())) {
				return;
			}
			const token = newToken();
			const made = await door.ask("answer-invitation", { invitation, accept: true, token });
			await sitDown(made, token, title, { called: (await door.ask("account")).handle });
		});
	return h(
		"li.row",
		h("span.ttl", title),
		h("span.who", t(mine ? "youInvite" : "invitedBy", { handle })),
		h("span.who", termsTold({ options, time, rated })),
		h("span.at", when(at_ms)),
		!mine && button(".go", { onclick: accept }, t("acceptInvitation")),
		button(".ghost", { onclick: end }, t(mine ? "withdraw" : "declineInvitation")),
	);
}

/** The part of the page with one's own matches. */
export class MyMatches {
	list = h("ul.list", { "aria-label": t("myMatches") });
	invited = h("ul.list", { "aria-label": t("invitations") });
	heading = h("h3", { hidden: true }, t("invitations"));
	counts = h("p.quiet", { id: "counts" });

	/** @param {Door} door @param {Tried} tried */
	constructor(door, tried) {
		this.door = door;
		/** The names of the games. @type {Map<string, string>} */
		this.titles = new Map();
		this.tried = tried;
	}

	/** Invites the opponent to a rematch. @param {Wire.MyMatch} match */
	async again(match) {
		const token = newToken();
		const made = await this.door.ask("invite-person", { token, again: match.match });
		const title = match.title || this.titles.get(match.game) || match.game;
		await sitDown(made, token, title, { called: (await this.door.ask("account")).handle });
	}

	/** Continues a match on this device: a new token opens the seat from now on, and the former one opens nothing. @param {Wire.MyMatch} match */
	async enter({ match }) {
		const token = newToken();
		/** @type {Wire.SeatEntered} */
		const entered = await this.door.ask("enter-seat", { match, token });
		const { seat, game, title, shown } = entered;
		// the person's choice on another device holds here; a person who was shown to nobody stays hidden
		const more = { rekey: true, shows: shown && shown !== "nobody" ? shown : "noted" };
		await sitDown({ match, seat, game }, token, title || this.titles.get(game) || game, more);
	}

	/** @param {Wire.MyMatches} told */
	drawInvitations({ invitations = [] }) {
		this.heading.hidden = !invitations.length;
		this.invited.replaceChildren(...invitations.map(one => invitationRow(this, one)));
	}

	/** Asks once for the names of the games. */
	async learnTitles() {
		if (!this.titles.size) {
			/** @type {Wire.Games} */
			const { games } = await this.door.plain("games");
			this.titles = new Map(games.map(({ game, title }) => [game, title]));
		}
	}

	async draw(after = 0) {
		await this.learnTitles();
		/** @type {Wire.MyMatches} */
		const told = await this.door.ask("my-matches", { ...shown, after });
		const rows = told.matches.map(match => matchRow(match, this));
		const next = () => this.tried(() => this.draw(after + rows.length));
		const named = [...GROUPS.map(group => [group, groupName(group)]), [VOID, t("outcome.void")]];
		const counts = named.map(([group, name]) => told.counts[group] && `${name}: ${told.counts[group]}`);
		if (!after) {
			this.list.textContent = "";
			this.drawInvitations(told);
		}
		this.list.querySelector(":scope > button")?.remove();
		this.list.append(...rows, ...(told.more ? [button(".ghost", { onclick: next }, t("moreMatches"))] : []));
		this.counts.textContent = counts.filter(Boolean).join(", ") || t("noneNoted");
	}

	async noteSeats() {
		for (const { match, token, friend } of myMatches()) {
			if (!friend) {
				await this.door.ask("keep-seat", { match, token }).catch(() => null);
			}
		}
		await this.draw();
	}

	/** The group that is shown. */
	choice() {
		/** @param {{ currentTarget: HTMLSelectElement }} event */
		const onchange = event => {
			shown.group = event.currentTarget.value;
			this.tried(() => this.draw());
		};
		const options = [["", t("allMatches")], ...GROUPS.map(group => [group, groupName(group)])];
		const list = h(
			"select",
			{ name: "group", onchange },
			options.map(([value, label]) => h("option", { value }, label)),
		);
		return h("label.set", h("span", t("which")), list);
	}

	/** @param {(key: string, act: string, sent: (text: string) => Promise<unknown>) => HTMLElement} form */
	parts(form) {
		const search = form("searchMatches", "search", async text => {
			shown.text = text;
			await this.draw();
		});
		search.prepend(this.choice());
		this.tried(() => this.draw());
		const note = button(".ghost", { onclick: () => this.tried(() => this.noteSeats()) }, t("noteSeats"));
		return [h("h2", t("myMatches")), this.heading, this.invited, this.counts, search, this.list, h("p.acts", note)];
	}
}
