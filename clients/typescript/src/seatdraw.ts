// The check of how the seats of paired players were drawn (docs/record.md, seat draws).
import { b64, sha256, tagged, unb64, utf8, type Bytes } from "./hashes.js";

const NUMBERS = 4096;
const LOT_BYTES = 32;
const MATCH_BYTES = 16;

/** The commitment and the lot of each seat, by seat, as base64url. */
export interface SeatDraw {
	sealed: string[];
	lots: string[];
}

/** The commitment to a lot. */
export const sealedLot = (lot: Bytes) => b64(tagged("seat-draw/lot", lot));

function before(one: Bytes, other: Bytes) {
	const at = one.findIndex((byte, i) => byte !== other[i]);
	return at < 0 ? 0 : one[at] - other[at];
}

function isMatchOf(match: string, sealed: string[]) {
	const occasion = `seat-draw:${[...sealed].sort().join("")}`;
	for (let n = 0; n < NUMBERS; n++) {
		const id = sha256(utf8(`herald:occasion:${n}:${occasion}`)).subarray(0, MATCH_BYTES);
		if (b64(id as Bytes) === match) {
			return true;
		}
	}
	return false;
}

/** Why the seats of a match are not those that the lots give, as one word; empty if they are. */
export function drawFault(match: string, { sealed, lots }: SeatDraw): "" | "lots" | "sealed" | "order" | "match" {
	const opened = lots.map(unb64);
	if (opened.length !== sealed.length || opened.some(lot => lot.length !== LOT_BYTES)) {
		return "lots";
	}
	if (opened.some((lot, i) => sealedLot(lot) !== sealed[i])) {
		return "sealed";
	}
	const joint = tagged("seat-draw", ...[...opened].sort(before));
	const places = opened.map(lot => tagged("seat-draw/place", joint, lot));
	if (places.some((place, i) => i > 0 && before(places[i - 1], place) >= 0)) {
		return "order";
	}
	return isMatchOf(match, sealed) ? "" : "match";
}
