// The library: play, watch and verify matches of a Herald server.
export { AccountDoor, pairingNumber, personKey, Session } from "./accounts.js";
export {} from "./claims.js";
export { BadLink, Closed, HeraldError, Refused } from "./errors.js";
export { byLot, fault, first, some } from "./forms.js";
export { readLink, siteOf, socketOf, writeLink } from "./links.js";
export { Match } from "./match.js";
export { applyStep, merge } from "./patches.js";
export { lineOf, resultOf } from "./lines.js";
export { Verifier } from "./record.js";
export { drawFault, sealedLot } from "./seatdraw.js";
export { BrowserKeys, Key, MemoryKeys } from "./seatkey.js";
export { bot, friend, me, openSeat, Server } from "./server.js";
export { chanceOf } from "./statements.js";
export { Broken } from "./verify.js";
