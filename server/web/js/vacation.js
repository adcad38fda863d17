// Takes vacation in every slow match whose seat this browser holds: its clock stands, and the record tells the others.
import { Key } from "../client/seatkey.js";
import { Server } from "../client/server.js";
import { myMatches } from "./prefs.js";
import { t } from "./strings.js";

const DAY_MS = 86_400_000;

/** Begins an absence of at most this many days in one match, or ends it with 0; returns whether that changed anything. @param {HeldMatch} held @param {number} days */
async function taken({ match, token, key }, days) {
	const server = new Server(location.origin);
	const entered = await server.play(match, token, { ...(key && { key: await Key.read(key) }) });
	try {
		const own = entered.clocks[String(entered.seat)];
		const { vacation_ms: left = 0, away_ms: away = 0 } = own ?? {};
		const wished = Math.min(Math.max(0, days), Math.floor((left + away) / DAY_MS));
		const isSame = Math.abs(away - wished * DAY_MS) < DAY_MS;
		if (entered.result || isSame) {
			return false;
		}
		await entered.vacation(wished);
		return true;
	} finally {
		entered.close();
	}
}

/** The message about a vacation of this many days in the matches of this browser. @param {number} days */
export async function vacationAct(days) {
	const found = await Promise.all(
		myMatches()
			.filter(held => held.token && !held.friend)
			.map(held => taken(held, days).catch(() => false)),
	);
	return t(days > 0 ? "quiet.taken" : "quiet.back", { n: found.filter(Boolean).length });
}
