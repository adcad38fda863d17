// Takes vacation in every slow match whose seat this browser holds: its clock stands, and the record tells the others.
import { Key } from "../client/seatkey.js";
import { Server } from "../client/server.js";
import { myMatches } from "./prefs.js";
import { t } from "./strings.js";

const DAY_MS = 86_400_000;

/** Takes at most so many days in one match; whether any were left. @param {HeldMatch} held @param {number} days */
async function taken({ match, token, key }, days) {
	const server = new Server(location.origin);
	const entered = await server.play(match, token, { ...(key && { key: await Key.read(key) }) });
	try {
		const own = entered.clocks[String(entered.seat)];
		const left = Math.floor((own?.vacation_ms ?? 0) / DAY_MS);
		const wished = Math.min(days, left);
		if (entered.result || wished < 1 || own?.away_ms) {
			return false;
		}
		await entered.vacation(wished);
		return true;
	} finally {
		entered.close();
	}
}

/** The message about a vacation of so many days in the matches of this browser. @param {number} days */
export async function vacationAct(days) {
	const found = await Promise.all(
		myMatches()
			.filter(held => held.token && !held.friend)
			.map(held => taken(held, days).catch(() => false)),
	);
	return t("quiet.taken", { n: found.filter(Boolean).length });
}
