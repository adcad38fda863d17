// The person behind a seat, as far as the verified lines state it: a checked handle, an unnamed person, or a guest.
import { h } from "./dom.js";
import { hasAccount } from "./prefs.js";
import { t } from "./strings.js";

/** @param {import("./tablestate.js").TableState} around @param {import("../client/seating.js").MatchVerifier} verifier @param {number} seat @param {string} name under which the seat plays */
function personShown({ handles }, { persons, seated }, seat, name) {
	const held = seated.get(seat);
	if (held?.kind !== "person") {
		return null;
	}
	const handle = held.key && handles.get(`${seat} ${held.key}`);
	if (handle) {
		const href = `/ratings#p=${encodeURIComponent(handle)}`;
		const said = t("personSigned", { handle });
		const attrs = { href, target: "_blank", title: said, "aria-label": said };
		return h("a.per", attrs, handle === name ? "✓" : `✓ ${handle}`);
	}
	const isSomebody = held.key && [...persons.values()].some(one => one.seat === seat && one.key === held.key);
	return h("span.per", t(isSomebody ? "hasAccount" : "guestHere"));
}

/** The verifier of the lines that the plates show. @type {import("../client/seating.js").MatchVerifier | undefined} */
let told = undefined;
/** @type {Promise<import("./persons.js").Persons> | undefined} */
let persons = undefined;

/** Asks which viewers may know the person in one's own seat. */
export const askShown = async () => (await persons)?.ask();

/** Shows the persons behind the seats; the server is asked only if a line or this browser's account names a person. @param {import("./live.js").Live} live */
export async function tellPersons(live) {
	const { around, check, view } = live.parts;
	const { verifier } = check;
	if (!verifier) {
		return;
	}
	around.person = (seat, name) => personShown(around, verifier, seat, name);
	if (told !== verifier) {
		told = verifier;
		view.drawPlates();
	}
	if (verifier.persons.size || hasAccount()) {
		persons ??= import("./persons.js").then(module => new module.Persons(live));
		(await persons).look(verifier);
	}
}
