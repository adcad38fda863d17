// The library: play, watch and verify matches of a Herald server.
export { AccountDoor, pairingNumber, personKey, Session } from "./accounts.js";
export { type Opening as ClaimOpening, type PersonKey, type SeatClaim } from "./claims.js";
export { BadLink, Closed, HeraldError, Refused } from "./errors.js";
export { byLot, fault, first, some, type Below } from "./forms.js";
export { readLink, siteOf, socketOf, writeLink, type Link } from "./links.js";
export { Match, type MatchOptions } from "./match.js";
export type { News } from "./news.js";
export { applyStep, merge } from "./patches.js";
export { lineOf, resultOf, type Line, type Result } from "./lines.js";
export { Verifier } from "./record.js";
export { drawFault, sealedLot, type SeatDraw } from "./seatdraw.js";
export { BrowserKeys, Key, MemoryKeys, type Keys } from "./seatkey.js";
export { bot, friend, me, openSeat, Server } from "./server.js";
export type { Instruction } from "./standing.js";
export { chanceOf, type Chance, type Proof } from "./statements.js";
export { Broken } from "./verify.js";
export type { Sockets } from "./connection.js";
export type * from "./wire.js";
