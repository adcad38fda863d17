#!/usr/bin/env node
// Verifies saved streams or exports (JSON lines) with server/web/verify.js alone: no Python, no server.
// Exit status 0: everything holds; 1: something does not, and the line is named; 2: wrong usage.
import { readFileSync } from "node:fs";
import { Broken, verifyStream } from "../server/web/verify.js";

const files = process.argv.slice(2).filter(a => a !== "--json"), json = process.argv.includes("--json");
if (!files.length) {
  console.error("usage: scripts/verify-stream.mjs [--json] FILE...");
  process.exit(2);
}
let failed = false;
for (const file of files) {
  try {
    const r = await verifyStream(readFileSync(file, "utf8").split("\n"));
    console.log(json ? JSON.stringify({ file, ok: true, ...r })
      : `${file}: holds. ${r.lines} lines to ${r.head}, ${r.openings} openings, ${r.dice} dice, ${r.shuffles} shuffles, ${r.signatures} signatures.`);
  } catch (wrong) {
    failed = true;
    const seq = wrong instanceof Broken ? wrong.seq : null;
    if (json) console.log(JSON.stringify({ file, ok: false, seq, why: wrong.why ?? wrong.message }));
    else console.error(`${file}: broken at ${wrong.message}`);
  }
}
process.exit(failed ? 1 : 0);
