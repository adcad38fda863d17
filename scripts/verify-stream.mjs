#!/usr/bin/env node
// Verifies saved streams or exports (JSON lines) with the page's own verifier: no Python, no server.
// Exit status 0: everything holds; 1: something does not, and the line is named; 2: wrong usage.
import { readFileSync } from "node:fs";
import { personBehind } from "../server/web/client/claims.js";
import { GAMES } from "../server/web/client/games.js";
import { MatchVerifier } from "../server/web/client/seating.js";
import { b64, unb64 } from "../server/web/client/hashes.js";
import { Strict } from "../server/web/client/strict.js";
import { Broken, close, isSigned } from "../server/web/client/verify.js";
import { messagesOf } from "./record-file.mjs";

const ACTS = ["Resigned", "Offered", "Agreed", "Declined", "AbsenceClaimed", "VacationTaken", "VacationEnded", "HintAsked"];

// The commits of a record, as far as its lines show them: each ends before a choice or an act of a seat. A server signs every one.
class Commits {
  ends = new Set();
  last = "";
  seq = 0;
  take(text) {
    const [, , seq, , type, , , , { by = "seat" }] = JSON.parse(text);
    if (seq <= this.seq) return;
    // A new chain of keys is announced in the commit that spends it first.
    if (ACTS.includes(type) || (type === "Chosen" && ["seat", "bot"].includes(by))) this.ends.add(this.last === "ChanceAnchored" ? seq - 2 : seq - 1);
    [this.seq, this.last] = [seq, type];
  }
  // Those between the first and the last signature that have none.
  bare(stamped) {
    return [...this.ends].filter(seq => seq > Math.min(...stamped) && seq < Math.max(...stamped) && !stamped.has(seq));
  }
}

// A saved stream or export: JSON lines of the protocol's own messages. `trusted`: public keys of the server, b64; any where
// none is named. Throws `Broken`; else tells what was checked, and up to which line it is signed since when.
async function verifyStream(bytes, trusted, games, openings) {
  let verifier = null, signatures = 0, unsigned = 0, end = null, signedTo = 0, signedAt = 0;
  const messages = messagesOf(bytes), commits = new Commits(), stamped = new Set();
  const closing = messages.find(m => m.t === "closing");
  for (const message of messages) {
    if (message.t === "welcome" || message.t === "record") {
      verifier ??= new MatchVerifier({ match: message.match, keys: message.keys, root: closing?.k_m, strict: new Strict(games) });
      if (message.match !== verifier.match) throw new Broken(verifier.seq, "another match begins in the file");
      verifier.claim(message.head.seq, message.head.hash);
      if (message.t === "record") end = message.head.seq;
    } else if (!verifier) throw new Broken(0, "the file does not begin with a welcome");
    else if (message.t === "events") {
      if (message.head) verifier.claim(message.head.seq, message.head.hash);
      message.items.forEach(([line, openings], i) => verifier.take(line, openings, message.from + i));
      await verifier.prove();
      for (const [line] of message.items) commits.take(line);
    }
    const signed = message.t === "checkpoint" ? message : message.t === "events" && message.head?.signed ? message.head : null;
    if (signed && (signed === message || signed.seq <= verifier.seq)) {
      const good = await isSigned(verifier, signed.seq, signed.signed), stamp = unb64(signed.signed);
      if (trusted.length && !trusted.includes(b64(stamp.subarray(8, 40)))) verifier.fail(signed.seq, "the checkpoint's key is none that was named");
      signedTo = signed.seq;
      stamped.add(signedTo);
      signedAt = Number(new DataView(stamp.buffer).getBigUint64(0));
      if (good === false) verifier.fail(signed.seq, "the checkpoint's signature is not right");
      if (good) signatures++; else unsigned++;
    }
  }
  if (!verifier) throw new Broken(0, "the file is empty");
  if (end !== null && verifier.seq < end) verifier.fail(verifier.seq + 1, `missing; the file says that there are ${end} lines`);
  if (trusted.length && !signedTo) throw new Broken(0, "nobody has signed this record");
  if (closing) close(verifier, closing);
  const persons = [];
  for (const opening of openings.filter(one => one.match === verifier.match)) {
    const claim = await personBehind(verifier.match, verifier.persons, opening);
    persons.push({ seat: (claim ?? verifier.persons.get(opening.line)).seat, key: opening.key, site: opening.site, checked: claim !== null });
  }
  const lacks = [...verifier.lacks, ...(signedTo < verifier.seq ? ["signatures"] : []), ...(verifier.isUnfinished ? ["commit"] : [])];
  return { lacks, match: verifier.match, lines: verifier.seq, head: b64(verifier.head), openings: verifier.openings, unopened: verifier.unread,
    dice: verifier.dice, shuffles: closing ? verifier.shuffles.length : 0, signatures, unsigned, signedTo, signedAt,
    commits: commits.ends.size, bare: commits.bare(stamped),
    version: verifier.version, seats: verifier.signatures, unproved: verifier.unproved, unproven: verifier.unproven, shares: verifier.shares,
    claims: verifier.persons.size, persons, event: verifier.dealt && b64(verifier.dealt.event) };
}

// In what a record is weaker than one can be: it stands in the first line, so that it cannot be hidden further down.
const LACKS = { version: "an older version of the record", keys: "a seat did not always sign", shares: "the dice could have been chosen",
  reveal: "its end opens the secrets not to everybody", signatures: "no signature of the server is here for its last line", commit: "it ends inside a commit" };

// The parts that the record does not prove, and the owners of the dice.
function trust({ version, unproven, unproved, shares, event, commits, bare, claims, persons }) {
  const told = unproven.map(([seat, line]) => line ? `seat ${seat + 1} signs from line ${line} on; no former key says so`
    : `seat ${seat + 1} does not sign: the server could have answered for it`);
  if (claims) told.push(`persons behind ${claims} keys of seats, ${persons.length} of them opened`);
  for (const { seat, key, site, checked } of persons) told.push(`seat ${seat + 1}: the person with the key ${key} at ${site}${checked ? "" : " (its signature could not be checked here)"}`);
  if (version === 1) told.unshift("version 1: only choices are signed, and what was acknowledged can be told at the end only");
  if (bare.length) told.push(`of the ${commits} commits before choices and acts ${bare.length} have no signature of the server, the first at line ${bare[0]}`);
  if (unproved) told.push(`${unproved} signatures of seats could not be checked here`);
  if (event) told.push(`dealt by event ${event}: who made its seed could have chosen it, and knew every draw`);
  else told.push(shares.names.length ? `shares of chance of ${shares.names.join(", ")}${shares.all ? "" : " alone"}${shares.signed ? ", signed" : ", not all signed"}`
    : "shares of chance of the server alone: it could have chosen them");
  return told.map(line => `\n  ${line}`).join("");
}

const files = process.argv.slice(2).filter(a => !a.startsWith("--")), json = process.argv.includes("--json");
const trusted = process.argv.filter(a => a.startsWith("--key=")).map(a => a.slice(6));
if (!files.length) {
  console.error("usage: scripts/verify-stream.mjs [--json] [--key=KEY] [--lines=TABLES] [--persons=OPENINGS] FILE...");
  process.exit(2);
}
const tables = process.argv.filter(a => a.startsWith("--lines=")).map(a => JSON.parse(readFileSync(a.slice(8), "utf8")).games);
const openings = process.argv.filter(a => a.startsWith("--persons=")).flatMap(a => readFileSync(a.slice(10), "utf8").split("\n").filter(Boolean).map(text => JSON.parse(text)));
const known = Object.assign({}, GAMES, ...tables);
let failed = false;
for (const file of files) {
  try {
    const r = await verifyStream(readFileSync(file), trusted, known, openings);
    console.log(json ? JSON.stringify({ file, ok: true, ...r })
      : `${file}: holds. ${r.lines} lines to ${r.head}, ${r.openings} openings, ${r.dice} dice, ${r.shuffles} shuffles, ${r.signatures} signatures of the server, ${r.seats} of seats; ` + ["its rules were not judged", ...r.lacks.map(name => LACKS[name])].join("; ")
      + (r.signedTo ? `, up to line ${r.signedTo} at ${new Date(r.signedAt).toISOString()}.` : ".") + trust(r));
  } catch (wrong) {
    failed = true;
    const seq = wrong instanceof Broken ? wrong.seq : null;
    if (json) console.log(JSON.stringify({ file, ok: false, seq, why: wrong.why ?? wrong.message }));
    else console.error(`${file}: broken at ${wrong.message}`);
  }
}
process.exit(failed ? 1 : 0);
