// A seat as a file: its link with its key, for another machine; `herald play` reads and writes the same.
import { h } from "./dom.js";
import { dialog, seatLink } from "./prefs.js";
import { t } from "./strings.js";

const MOST_BYTES = 16_384;

/** Saves a seat of this browser. @param {HeldMatch} held */
export function saveSeat({ match, seat, token, key }) {
	const data = JSON.stringify({ t: "seat", link: seatLink(match, token, key), v: 1 });
	const href = URL.createObjectURL(new Blob([data, "\n"], { type: "application/json" }));
	h("a", { href, download: `herald-${match}-${seat + 1}.json` }).click();
	setTimeout(() => URL.revokeObjectURL(href));
}

/** The link in a seat's file, taken apart; nothing if there is none. @param {string} data */
function read(data) {
	try {
		const { t: kind, v, link } = JSON.parse(data);
		const { protocol, host, origin, hash } = new URL(link);
		const given = new URLSearchParams(hash.slice(1));
		const match = given.get("m");
		const token = given.get("t");
		const known = kind === "seat" && v === 1 && /^https?:$/.test(protocol);
		return known && match && token ? { host, origin, match, token, key: given.get("k") ?? undefined } : null;
	} catch {
		return null;
	}
}

/** Goes to the seat in a file that was chosen, if it is one of this server's. @param {File} file */
export async function bringSeat(file) {
	const found = file.size <= MOST_BYTES && read(await file.text());
	if (!found || found.origin !== location.origin) {
		dialog(
			t("bringSeat"),
			h("p", { role: "alert" }, found ? t("seatElsewhere", { host: found.host }) : t("noSeatFile")),
		);
		return;
	}
	location.href = seatLink(found.match, found.token, found.key);
}
