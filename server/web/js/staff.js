// The page of the staff: reports with their evidence, possible rulings, and the log of all rulings.
import { Denied, Door, isAble } from "./account.js";
import { $, button, clear, h } from "./dom.js";
import { addSheet, glyph, initGlyphs } from "./glyph.js";
import { otherTheme, replayLink, settings, tools } from "./prefs.js";
import { until } from "./safety.js";
import { loadStrings, t, when } from "./strings.js";

await Promise.all([loadStrings(), initGlyphs()]);
addSheet(await (await fetch("/glyphs/core.json")).json());

const door = new Door();
const place = $("#staff");
const ACTS = ["settle", "warn", "mute", "suspend", "ban", "lift"];
const state = { settled: false };

/** @param {string} text */
const say = text => {
	$("#said").textContent = text;
};

/** Does something, and shows the reason if it is refused. @param {() => Promise<unknown>} act */
async function tried(act) {
	say("");
	try {
		await act();
	} catch (wrong) {
		const isOut = wrong instanceof Denied && ["no-key", "sign-in-refused"].includes(wrong.code);
		say(isOut ? t("signInFirst") : (wrong instanceof Denied && wrong.message) || t("accountAway"));
	}
}

/** @param {string} name @param {string} label @param {object} attrs */
const field = (name, label, attrs) => {
	const input = h("input", { name, autocomplete: "off", ...attrs });
	return h("label.set", h("span", label), input);
};

/** Carries out the ruling of a form. @param {object} about @param {FormData} told */
async function moderate(about, told) {
	const [act, why, handle] = ["act", "why", "handle"].map(name => told.get(name) ?? undefined);
	const { entry } = await door.ask("moderate", { ...about, act, why, handle, days: Number(told.get("days")) });
	await draw();
	say(t("acted", { n: entry.n }));
}

/** The form for a ruling: the act, the reason and the duration. @param {object} about @param {boolean} isReport */
function actForm(about, isReport) {
	const acts = ACTS.filter(act => isReport || act !== "settle");
	const options = acts.map(act => h("option", { value: act }, t(`staff.${act}`)));
	/** @param {Event} event */
	const onsubmit = event => {
		event.preventDefault();
		const told = new FormData(/** @type {HTMLFormElement} */ (event.target));
		tried(() => moderate(about, told));
	};
	return h(
		"form",
		{ onsubmit },
		isReport ? "" : field("handle", t("handleOf"), { type: "text", maxlength: 64, required: true }),
		h("label.set", h("span", t("actOf")), h("select", { name: "act" }, options)),
		field("why", t("reasonOf"), { type: "text", maxlength: 500, required: true }),
		field("days", t("daysOf"), { type: "number", min: 0, max: 3650, value: 0 }),
		h("button.go", t("carryOut")),
	);
}

/** @param {Wire.ReportedLine} line */
const lineOf = ({ name, who, text }) => h("p", h("b", name || who), ": ", text);

/** @param {Wire.ReportInfo} report */
function reportRow(report) {
	const { match, why, who, name = "", handle = "", by = "", lines = [], seq = 0 } = report;
	const about = who ? [name, handle && `(${handle})`].filter(Boolean).join(" ") : t("theMatch");
	return h(
		"li.report",
		h("h3", about || t("guest")),
		h("p", why),
		h("blockquote", lines.map(lineOf)),
		h("p.quiet", t("reportedBy", { by: by || t("guest"), time: when(report.at_ms), line: seq })),
		h("p.acts", h("a.ghost", { href: replayLink(match) }, t("openMatch"))),
		report.settled_ms ? "" : actForm({ report: report.report }, true),
	);
}

/** @param {Wire.StaffEntry} entry */
const entryRow = entry =>
	h(
		"li.row",
		h("span.ttl", `${entry.n}. `, t(`staff.${entry.act}`)),
		h("span", [entry.handle, entry.why].filter(Boolean).join(": ")),
		h("span.who", [when(entry.at_ms), until(entry)].filter(Boolean).join(", ")),
	);

async function draw() {
	const { reports } = await door.ask("reports", { settled: state.settled });
	const { last = 0 } = await door.ask("safety");
	const { entries } = await door.ask("staff-log", { after: Math.max(0, last - 50) });
	const other = () => {
		state.settled = !state.settled;
		tried(draw);
	};
	clear(
		place,
		h("h2", t(state.settled ? "settledReports" : "openReports")),
		h("p.acts", button(".ghost", { onclick: other }, t(state.settled ? "openReports" : "settledReports"))),
		h("ul.list", { "aria-label": t("openReports") }, reports.map(reportRow)),
		reports.length ? "" : h("p.quiet", t("noReports")),
		h("h2", t("aboutPerson")),
		actForm({}, false),
		h("h2", t("staffLog")),
		h("p.quiet", t("staffLogSaid")),
		h("ul.list", { "aria-label": t("staffLog") }, entries.toReversed().map(entryRow)),
	);
}

await (isAble() ? tried(draw) : say(t("noKeysHere")));
document.body.dataset.ready = "1";
$("#mark").prepend(glyph("hunting-horn"));
tools({ moon: otherTheme, gear: () => settings() });
