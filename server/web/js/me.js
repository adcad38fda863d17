// The page of one's own account: sign up, come back by a code, the matches over all devices, the profile, the devices.
import { Denied, Door, forgetKey, isAble, newKey, ownKey, pairingNumber, vouched } from "./account.js";
import { $, button, clear, h } from "./dom.js";
import { addSheet, glyph, initGlyphs } from "./glyph.js";
import { MyMatches } from "./mymatches.js";
import { addPasskey, enterByPasskey, hasPasskeys } from "./passkeys.js";
import { myMatches, otherTheme, prefs, seatLink, settings, tools } from "./prefs.js";
import { profilePart } from "./profileform.js";
import { safetyPart } from "./safety.js";
import { loadStrings, t, when } from "./strings.js";
import { mailLink, toldPart } from "./noticesettings.js";

await Promise.all([loadStrings(), initGlyphs()]);
addSheet(await (await fetch("/glyphs/core.json")).json());

const POLL_MS = 3000;
const KEY_SHOWN = 8;
const NAME_MOST = 32;
const door = new Door();
const place = $("#account");
/** The code that is shown for a new device, from which the number to compare is computed. */
let pairing = "";
/** The code by which this page was opened: another device showed it as a picture. Only the person sends the code on. */
const hash = new URLSearchParams(location.hash.slice(1));
const scanned = hash.get("code") ?? "";
/** This browser's way into the match that a push message named. */
const told = myMatches().find(({ match, token, friend }) => token && !friend && match === hash.get("match"));

/** @param {string} text */
const say = text => {
	$("#said").textContent = text;
};

/** The text of a refusal; a lost connection has none of its own. @param {unknown} wrong */
const why = wrong => (wrong instanceof Denied && wrong.message) || t("accountAway");

/** Does something, and shows the reason if it is refused. @param {() => Promise<unknown>} act */
async function tried(act) {
	say("");
	try {
		await act();
	} catch (wrong) {
		say(why(wrong));
	}
}

/** The name of this browser among the devices. */
function deviceName() {
	const agent = navigator.userAgent;
	const browser = /Firefox|Edg|Chrome|Safari/.exec(agent)?.[0] ?? "Browser";
	const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0] ?? "";
	return `${browser} ${system}`.trim().slice(0, NAME_MOST);
}

/** Shows a recovery code, to be written down; then continues. @param {string} code */
function showCode(code) {
	clear(
		place,
		h("h2", t("recoveryCode")),
		h("p", t("recoverySaid")),
		h("p.code", code),
		button(".ghost", { onclick: () => print() }, t("printCode")),
		button(".go", { onclick: () => tried(draw) }, t("writtenDown")),
	);
}

/** A form of one field. @param {string} key @param {string} act @param {(text: string) => Promise<unknown>} sent @param {string} [value] */
function form(key, act, sent, value = "") {
	const field = h("input", { type: "text", name: key, maxlength: 64, autocomplete: "off", value });
	/** @param {Event} event */
	const onsubmit = event => {
		event.preventDefault();
		tried(() => sent(/** @type {HTMLInputElement} */ (field).value.trim()));
	};
	return h("form", { onsubmit }, h("label.set", h("span", t(key)), field), h("button.go", t(act)));
}

/** @param {string} handle */
async function signUp(handle) {
	const told = await door.show("sign-up", await newKey(), { handle, name: deviceName() }, handle);
	showCode(told.recovery);
}

/** @param {string} code */
async function recover(code) {
	const told = await door.show("recover", await newKey(), { code, name: deviceName() }, code);
	showCode(told.recovery);
}

/** Asks another device, and waits until it has confirmed. @param {string} code */
async function join(code) {
	const key = await newKey();
	await door.show("ask-pairing", key, { code, name: deviceName() }, code);
	clear(place, h("p", t("sameNumber")), h("p.code", pairingNumber(code, key.open)));
	const again = setInterval(async () => {
		try {
			await door.show("sign-in", key);
		} catch {
			return;
		}
		clearInterval(again);
		tried(draw);
	}, POLL_MS);
}

async function byPasskeyIn() {
	await byPasskey(() => enterByPasskey(door, deviceName()));
	await draw();
}

/** Does something with a passkey; if the user closes the browser's window for it, the page says so. @param {() => Promise<unknown>} act */
async function byPasskey(act) {
	try {
		await act();
	} catch (wrong) {
		throw wrong instanceof DOMException ? new Denied("no-passkey", t("noPasskey")) : wrong;
	}
}

function drawOutside() {
	$("#lead").textContent = t("accountLead");
	clear(
		place,
		h("h2", t("newAccount")),
		form("handle", "signUp", signUp, prefs.name),
		h("p.quiet", t("privateWindow")),
		h("p", h("a", { href: "/privacy" }, t("privacy"))),
		h("h2", t("haveAccount")),
		hasPasskeys() && h("p.acts", button(".ghost", { onclick: () => tried(byPasskeyIn) }, t("byPasskey"))),
		form("deviceCode", "join", join, scanned),
		form("recoveryCode", "join", recover),
	);
}

// --- the devices ---

/** @param {Wire.DeviceInfo} device */
function deviceRow({ key, name, used_ms = 0, here }) {
	const shownName = name || key.slice(0, KEY_SHOWN);
	const revoke = () =>
		confirm(t("revokeSure", { name: shownName })) && tried(() => door.ask("revoke-device", { key }).then(draw));
	return h(
		"li.row",
		h("span.ttl", shownName),
		h("span.who", here ? t("thisDevice") : when(used_ms)),
		button(".ghost", { onclick: revoke }, t("revokeDevice")),
	);
}

/** Adds a device, and signs that it is this person's too. @param {string} key */
async function letIn(key) {
	await door.ask("confirm-pairing", { key, signature: await vouched(key) });
	await draw();
}

/** A device that asks to be let in. @param {Wire.PairingInfo} asks */
const askingPart = ({ key, name }) => [
	h("p", t("asksIn", { name: name || key.slice(0, KEY_SHOWN) })),
	h("p.code", pairing && pairingNumber(pairing, key)),
	button(".go", { onclick: () => tried(() => letIn(key)) }, t("sameConfirm")),
];

/** Shows a code for a new device until one asks by it. @param {HTMLElement} part */
async function addDevice(part) {
	const { code, until_ms } = await door.ask("offer-pairing");
	pairing = code;
	const { drawn } = await import("./qr.js");
	const picture = drawn(`${location.origin}/me#code=${code}`, t("scanCode"));
	clear(part, h("p", t("codeFor", { time: when(until_ms) })), h("p.code", code), h("p", t("scanCode")), picture);
	const again = setInterval(async () => {
		const { asks } = await door.ask("account").catch(() => ({}));
		if (asks) {
			clear(part, askingPart(asks));
		}
		if (asks || !part.isConnected || Date.now() > until_ms) {
			clearInterval(again);
		}
	}, POLL_MS);
}

/** @param {Wire.PasskeyInfo} passkey */
const passkeyRow = ({ id, name, added_ms }) =>
	h(
		"li.row",
		h("span.ttl", name || id.slice(0, KEY_SHOWN)),
		h("span.who", when(added_ms)),
		button(
			".ghost",
			{ onclick: () => tried(() => door.ask("drop-passkey", { passkey: id }).then(draw)) },
			t("dropPasskey"),
		),
	);

/** @param {Wire.AccountTold} account */
function passkeysPart({ handle, passkeys = [], can_passkeys = false }) {
	const add = () => byPasskey(() => addPasskey(door, handle, deviceName())).then(draw);
	return [
		passkeys.length > 0 && h("ul.list", { "aria-label": t("passkeys") }, passkeys.map(passkeyRow)),
		can_passkeys && hasPasskeys() && button(".ghost", { onclick: () => tried(add) }, t("addPasskey")),
	];
}

/** @param {Wire.AccountTold} account */
function devicesPart(account) {
	const { devices } = account;
	const part = h("div");
	const live = devices.filter(device => !device.revoked_ms);
	return [
		h("h2", t("devices")),
		h("ul.list", { "aria-label": t("devices") }, live.map(deviceRow)),
		part,
		h("p.acts", button(".ghost", { onclick: () => tried(() => addDevice(part)) }, t("addDevice"))),
		passkeysPart(account),
	];
}

// --- the account itself ---

async function save() {
	const told = await door.ask("export-me");
	const file = new Blob([JSON.stringify(told, null, 1)], { type: "application/json" });
	const url = URL.createObjectURL(file);
	h("a", { href: url, download: "herald-account.json" }).click();
	URL.revokeObjectURL(url);
}

/** Makes a link to the calendar of deadlines; the former link opens nothing from then on. */
async function calendar() {
	const { path } = await door.ask("calendar-link");
	say(t("calendarAt", { url: location.origin + path }));
}

async function noCalendar() {
	await door.ask("calendar-link", { on: false });
	say(t("calendarGone"));
}

/** @param {string} handle */
async function remove(handle) {
	const typed = prompt(t("deleteSure", { handle }));
	if (typed) {
		await door.ask("delete-me", { handle: typed });
		await forgetKey();
		await draw();
		say(t("accountDeleted"));
	}
}

/** @param {Wire.AccountTold} account */
const selfPart = ({ handle, notices = [] }) => [
	h("h2", t("account")),
	form("handle", "change", text => door.ask("rename", { handle: text }).then(draw), handle),
	h("ul.list", { "aria-label": t("changes") }, notices.map(noticeRow)),
	h(
		"p.acts",
		button(
			".ghost",
			{ onclick: () => tried(async () => showCode((await door.ask("renew-code")).recovery)) },
			t("newCode"),
		),
		button(".ghost", { onclick: () => tried(calendar) }, t("calendar")),
		button(".ghost", { onclick: () => tried(noCalendar) }, t("noCalendar")),
		button(".ghost", { onclick: () => tried(save) }, t("exportMe")),
		button(".ghost", { onclick: () => tried(() => remove(handle)) }, t("deleteMe")),
		h("a.ghost", { href: "/privacy" }, t("privacy")),
	),
];

/** @param {Wire.NoticeInfo} notice */
const noticeRow = ({ at_ms, what, about }) =>
	h("li.row", h("span.who", when(at_ms)), h("span", t(`change.${what}`, { about: about.slice(0, KEY_SHOWN * 3) })));

/** Draws the account, or the ways to sign in. */
async function draw() {
	try {
		const account = await door.ask("account");
		$("#title").textContent = account.handle;
		$("#lead").textContent = "";
		const profile = await profilePart(door, tried, account, say);
		const told = toldPart(door, tried, say);
		const others = [told, devicesPart(account), safetyPart(door, tried), selfPart(account)];
		clear(place, new MyMatches(door, tried).parts(form), profile, others);
	} catch (wrong) {
		if (!(wrong instanceof Denied) || !["no-key", "sign-in-refused"].includes(wrong.code)) {
			throw wrong;
		}
		$("#title").textContent = t("account");
		drawOutside();
		say((await ownKey()) ? why(wrong) : "");
	}
}

if (told) {
	location.replace(seatLink(told.match, told.token, told.key));
	await new Promise(() => {}); // the browser leaves this page
}
place.before(mailLink(door, tried, say, hash) ?? "");
if (isAble()) {
	await tried(draw);
} else {
	say(t("noKeysHere"));
}
history.replaceState(null, "", location.pathname);
addEventListener("hashchange", () => location.hash && location.reload());
document.body.dataset.ready = "1";
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
