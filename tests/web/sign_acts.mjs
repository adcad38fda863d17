// Signs acts at the table as the client library does: the signatures of the messages given, in their order.
// usage: sign_acts.mjs '{"match":..,"own":..,"seat":..,"seq":..,"head":..,"acts":[[message, terms or null], ..]}'
import { signAct } from "../../server/web/client/keys.js";
import { unb64 } from "../../server/web/client/hashes.js";

const { match, own, seat, seq, head, acts } = JSON.parse(process.argv[2]);
const made = [];
for (const [message, terms] of acts) {
  const agreements = { made: new Map([[message.number, { terms }]]) };
  const verifier = { mid: unb64(match), version: 3, seq, head: unb64(head), agreements, seated: new Map([[seat, { key: "here" }]]) };
  made.push((await signAct(own, verifier, seat, message)).signature);
}
console.log(JSON.stringify(made));
