// The person behind a seat, as far as the verified lines say it: a handle that was checked, that there is one, or a guest.
import { h } from "./dom.js";
import { t } from "./strings.js";

/** @param {import("./around.js").Around} around @param {import("../client/seating.js").MatchVerifier} verifier @param {number} seat @param {string} name under which the seat plays */
export function personShown({ handles }, { persons, seated }, seat, name) {
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
