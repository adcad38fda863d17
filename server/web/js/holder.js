// The browser's record of one's own seat: its key, and its share of chance until play begins (docs/record.md 4, 5).
import { newKey, openOf, random, shareOf } from "../client/keys.js";
import { b64, unb64 } from "../client/hashes.js";
import { match, token } from "./page.js";
import { keepMatch, myMatches } from "./prefs.js";

const DEVICE_BYTES = 9;

/** One's own seat as this browser stores it. */
const mine = () => myMatches().find(one => one.match === match && one.token === token);

/** The key of one's own seat. */
export const keptKey = () => mine()?.key;

/** The public part of a key that is made for one's own seat and kept with it; "" if none can be made. */
async function madeKey() {
	const key = await newKey();
	const kept = mine();
	if (!key || !kept) {
		return "";
	}
	keepMatch({ ...kept, key: key.own });
	return key.open;
}

/**
 * Whether the key that the record names for one's own seat is not one's own key. @param {string | undefined} own the private key
 * @param {string | undefined} named
 */
export async function isOther(own, named) {
	const open = own ? await openOf(own) : "";
	return Boolean(named) && open !== null && open !== named;
}

/**
 * The message about the key that the record names for one's own seat: the name of a text, "" for none. It is an alarm only if the
 * record has named this browser's key before, and now names another.
 * @param {string | undefined} own the private key @param {string | undefined} named
 */
export async function keyText(own, named) {
	const kept = mine();
	if (await isOther(own, named)) {
		return kept?.named ? "otherKey" : "keyElsewhere";
	}
	if (kept && named && !kept.named) {
		keepMatch({ ...kept, named: true });
	}
	return "";
}

/** A name for this browser, by which the devices of a seat are counted. */
export function deviceName() {
	const name = localStorage.getItem("herald.device") ?? b64(random(DEVICE_BYTES));
	localStorage.setItem("herald.device", name);
	return name;
}

/** The seat whose token this browser has replaced; the browser may not know whether the server has replaced the token too. */
export const renewed = () => myMatches().find(one => one.match === match && one.former === token);

/** The public key with which the first device to enter one's own seat signs. */
export const openKey = () => mine()?.open;

/**
 * The holder of one's own seat here. Its share of chance is derived from the key, and therefore available with it; without a key the
 * share is kept until play begins.
 * @param {number} seat @param {string | undefined} own the private key @returns {import("../client/keys.js").Held}
 */
export function keeperOf(seat, own) {
	const name = `share/${match}/${seat}`;
	return {
		seat,
		own,
		// signs with the stored key even if the server has left out the key that came with the seat
		key: async () => (own ? await openOf(own) : await madeKey()) ?? "",
		share(isBegun) {
			if (isBegun) {
				localStorage.removeItem(name);
				return "";
			}
			const kept = localStorage.getItem(name);
			if (own && !kept) {
				return shareOf(own, unb64(match), seat);
			}
			const entropy = kept ?? b64(random(32));
			localStorage.setItem(name, entropy);
			return entropy;
		},
	};
}
