// The part of the account's page about notices: mail, pushes to this browser, webhooks, quiet hours and vacations.
import { Denied } from "./account.js";
import { button, h } from "./dom.js";
import { lookAtPush } from "./prefs.js";
import { language, t, when } from "./strings.js";
import { vacationAct } from "./vacation.js";

const DAY_MS = 86_400_000;
const HOUR = 60;
const DIGITS = 2;

/** @typedef {(act: () => Promise<unknown>) => Promise<void>} Tried */
/** @typedef {{ ask: (t: string, fields?: object | (() => Promise<object>)) => void, test: (channel: string) => void, hook: (fields: object) => void, quiet: (fields: object, days: number | null) => void }} Acts */

/** @param {number} minute of the day */
const clock = minute =>
	[Math.floor(minute / HOUR), minute % HOUR].map(part => String(part).padStart(DIGITS, "0")).join(":");

/** @param {string} text */
function minuteOf(text) {
	const [hours = 0, minutes = 0] = text.split(":").map(Number);
	return hours * HOUR + minutes;
}

/** The state of a channel. @param {Wire.ChannelInfo} channel */
function state({ confirmed_ms = 0, sent_ms = 0, tries = 0 }) {
	if (!confirmed_ms) {
		return t("told.unconfirmed");
	}
	const last = sent_ms ? t("told.sent", { time: when(sent_ms) }) : t("told.never");
	return tries ? `${last}, ${t("told.tries", { n: tries })}` : last;
}

/** The address of a push service is not shown, since it means nothing to a person. @param {Wire.ChannelInfo} channel */
const named = ({ kind, address }) => (kind === "push" ? new URL(address).host : address);

/** @param {Wire.ChannelInfo} info @param {Acts} acts */
function channelRow(info, acts) {
	const { channel, kind, form = "", confirmed_ms = 0 } = info;
	const test = button(".ghost", { onclick: () => acts.test(channel) }, t("told.test"));
	const drop = button(".ghost", { onclick: () => acts.ask("drop-channel", { channel }) }, t("told.drop"));
	return h(
		"li.row",
		h("span.ttl", [t(`told.${kind}`), form && t(`hook.${form}`)].filter(Boolean).join(" · ")),
		h("span.where", named(info)),
		h("span.who", state(info)),
		confirmed_ms > 0 && test,
		drop,
	);
}

/** @param {string} label @param {string} name @param {object} attrs */
const field = (label, name, attrs) => h("label.set", h("span", t(label)), h("input", { name, ...attrs }));

/** @param {string} label @param {string} name @param {[string, string][]} options @param {string} value */
const choice = (label, name, options, value) =>
	h(
		"label.set",
		h("span", t(label)),
		h(
			"select",
			{ name },
			options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
		),
	);

/** A form whose fields are given by name. @param {(fields: Record<string, string>) => void} sent @param {(HTMLElement | false | undefined | "")[]} inside */
const form = (sent, ...inside) =>
	h(
		"form",
		{
			onsubmit: (/** @type {SubmitEvent} */ event) => {
				event.preventDefault();
				const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
				sent(Object.fromEntries([...given].map(([name, value]) => [name, String(value).trim()])));
			},
		},
		...inside,
	);

/** @param {Acts} acts */
const mailForm = acts =>
	form(
		fields => acts.ask("name-mail", fields),
		field("told.address", "address", { type: "email", required: true, maxlength: 200, autocomplete: "email" }),
		h("button.go", t("told.addMail")),
	);

/** @param {Acts} acts */
const hookForm = acts =>
	form(
		fields => acts.hook(fields),
		field("told.url", "url", { type: "url", required: true, maxlength: 500, autocomplete: "off" }),
		choice(
			"told.form",
			"form",
			["discord", "slack", "plain"].map(name => [name, t(`hook.${name}`)]),
			"discord",
		),
		h("button.go", t("told.addHook")),
	);

/** Whether this browser can receive push messages. */
const canPush = () => "serviceWorker" in navigator && "PushManager" in globalThis;

/** Subscribes this browser. @param {string} applicationServerKey */
async function subscribed(applicationServerKey) {
	const worker = await navigator.serviceWorker.register("/push.js");
	await navigator.serviceWorker.ready;
	const { pushManager: pushes } = worker;
	const subscribe = () => pushes.subscribe({ userVisibleOnly: true, applicationServerKey });
	const anew = async () => {
		// The subscription may be for a key that the server has lost; it opens nothing more.
		await (await pushes.getSubscription())?.unsubscribe();
		return subscribe();
	};
	const made = await subscribe()
		.catch(anew)
		.catch(() => {
			throw new Denied("no-push", t("told.pushRefused"));
		});
	const { endpoint, keys = {} } = made.toJSON();
	return { endpoint, p256dh: keys.p256dh, auth: keys.auth };
}

/** Notes which subscription the server has, from which the service worker can see whether the browser has renewed it. @param {Wire.NoticesTold} told */
async function followPush({ channels = [], push_key: key }) {
	const worker = canPush() && (await navigator.serviceWorker.getRegistration());
	const found = worker && (await worker.pushManager.getSubscription())?.toJSON();
	if (found && channels.some(one => one.address === found.endpoint)) {
		const { endpoint, keys } = found;
		await (await caches.open("herald")).put("/push", Response.json({ endpoint, auth: keys?.auth, key }));
	} else if (!channels.some(one => one.kind === "push")) {
		// The person receives no pushes any more; the service worker must not subscribe this browser again.
		await (await caches.open("herald")).delete("/push");
	}
	lookAtPush();
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** Stores the form's values, and begins or ends a vacation in the matches. @param {Record<string, string>} fields @param {Acts} acts @param {boolean} isAway */
function keepQuiet({ begin, end, away, pace = "day" }, acts, isAway) {
	const until = away ? new Date(`${away}T00:00`).getTime() : 0;
	const times = { begin: minuteOf(begin), end: minuteOf(end), away_until: Math.max(0, until) };
	const days = until ? Math.ceil((until - Date.now()) / DAY_MS) : 0;
	acts.quiet({ language, zone, ...times, pace }, days > 0 || isAway ? days : null);
}

/** The times without notices. @param {Wire.NoticesTold} told @param {Acts} acts */
function quietForm({ quiet = {}, mail }, acts) {
	const { begin = 0, end = 0, away_until: until = 0, pace = "day" } = quiet;
	const away = until > Date.now() ? new Date(until).toLocaleDateString("sv") : "";
	const paces = ["day", "hour", "move"].map(name => /** @type {[string, string]} */ ([name, t(`pace.${name}`)]));
	return form(
		fields => keepQuiet({ pace, ...fields }, acts, Boolean(away)),
		field("quiet.begin", "begin", { type: "time", required: true, value: clock(begin) }),
		field("quiet.end", "end", { type: "time", required: true, value: clock(end) }),
		field("quiet.away", "away", { type: "date", value: away }),
		mail && choice("quiet.pace", "pace", paces, pace),
		h("button.go", t("quiet.save")),
		h("p.quiet", t("quiet.said", { zone })),
	);
}

/** @param {Wire.NoticesTold} told @param {Acts} acts */
function nodes(told, acts) {
	const { channels = [], mail, push_key: key = "", hooks } = told;
	const push = () => acts.ask("name-push", () => subscribed(key));
	const rows = channels.map(channel => channelRow(channel, acts));
	return [
		h("h2", { id: "told-title" }, t("told.title")),
		h("p.quiet", t(mail || key || hooks ? "told.lead" : "told.nothing")),
		h("ul.list", { "aria-labelledby": "told-title" }, rows),
		mail && mailForm(acts),
		key && canPush() && h("p.acts", button(".ghost", { onclick: push }, t("told.addPush"))),
		hooks && hookForm(acts),
		(mail || key || hooks) && quietForm(told, acts),
	];
}

/** Sends a request; messages over a new channel are in this page's language from the first one on. @param {import("./account.js").Door} door @param {string} kind @param {object} [fields] */
async function asked(door, kind, fields) {
	if (kind.startsWith("name-")) {
		const { quiet = {} } = await door.ask("notices");
		if ((quiet.language ?? "en") !== language) {
			await door.ask("set-quiet", { zone, ...quiet, language });
		}
	}
	return door.ask(kind, fields);
}

/** @type {Record<string, string>} */
const DONE = { "name-mail": "told.mailSent" };

/** @param {import("./account.js").Door} door @param {Tried} tried @param {(text: string) => void} say @param {(told: Wire.NoticesTold) => void} show @returns {Acts} */
const actsOf = (door, tried, say, show) => ({
	ask: (kind, fields) =>
		tried(async () => {
			show(await asked(door, kind, typeof fields === "function" ? await fields() : fields));
			say(kind in DONE ? t(DONE[kind]) : "");
		}),
	test: channel =>
		tried(async () => {
			const { taken } = await door.ask("try-channel", { channel });
			say(t(taken ? "told.taken" : "told.notTaken"));
		}),
	hook: fields =>
		tried(async () => {
			const { secret } = await asked(door, "name-hook", fields);
			show(await door.ask("notices"));
			say(secret ? t("told.secret", { secret }) : "");
		}),
	quiet: (fields, days) =>
		tried(async () => {
			show(await door.ask("set-quiet", fields));
			say(days === null ? t("quiet.saved") : await vacationAct(days));
		}),
});

/** @param {import("./account.js").Door} door @param {Tried} tried @param {(text: string) => void} say @returns {HTMLElement} */
export function toldPart(door, tried, say) {
	const part = h("section.told", { "aria-labelledby": "told-title" });
	/** @param {Wire.NoticesTold} told */
	const show = told => {
		part.replaceChildren(...nodes(told, acts).filter(node => node instanceof Node));
		followPush(told).catch(() => null);
	};
	const acts = actsOf(door, tried, say, show);
	tried(async () => show(await door.ask("notices")));
	return part;
}

/** The request of a link in a mail: to confirm the address, or to stop the mails. The person has to press a button that sends the request. @param {import("./account.js").Door} door @param {Tried} tried @param {(text: string) => void} say @param {URLSearchParams} hash */
export function mailLink(door, tried, say, hash) {
	const purpose = ["confirm", "leave", "never"].find(name => hash.has(name));
	if (!purpose) {
		return null;
	}
	const part = h("section.told");
	const asked = purpose === "confirm" ? "confirm-mail" : "leave-mail";
	const act = () =>
		tried(async () => {
			await door.plain(asked, { token: hash.get(purpose) });
			part.replaceChildren();
			say(t(`mail.${purpose}Done`));
		});
	part.append(h("p", t(`mail.${purpose}`)), h("p.acts", button(".go", { onclick: act }, t(`mail.${purpose}Act`))));
	return part;
}
