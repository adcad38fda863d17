// Compares verify.js with the vectors of the record, and its SHA-256 with Node's own. Prints nothing when all agree.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fits, isSound } from "../../server/web/client/curve.js";
import { actMessage, answerCommitment, choiceMessage } from "../../server/web/client/seating.js";
import * as hashes from "../../server/web/client/hashes.js";
import * as verify from "../../server/web/client/verify.js";

const v = { ...hashes, ...verify };

const hex = b => Buffer.from(b).toString("hex"), raw = s => new Uint8Array(Buffer.from(s, "hex"));
for (const n of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
  const data = Uint8Array.from({ length: n }, (_, i) => (i * 131 + n) & 255);
  assert.equal(hex(v.sha256(data)), createHash("sha256").update(data).digest("hex"), `SHA-256 of ${n} bytes`);
  assert.equal(hex(v.hmac(data, data)), createHmac("sha256", data).update(data).digest("hex"), `HMAC with a key of ${n} bytes`);
  assert.equal(v.b64(data), Buffer.from(data).toString("base64url"));
  assert.deepEqual(v.unb64(v.b64(data)), data);
}

const t = JSON.parse(readFileSync(process.argv[2], "utf8")), mid = raw(t.mid), mixed = raw(t.X);
assert.equal(hex(v.chainStart(raw(t.k_N), t.N)), t.c0);
assert.equal(hex(v.tagged("hid", mid, raw(t.hid))), t.D);
t.entropy.forEach((e, i) => assert.equal(hex(v.tagged("ent", raw(e))), t.entropy_commitments[i]));
assert.equal(hex(v.tagged("mix", mid, raw(t.c0), raw(t.D), v.u8(2), ...t.entropy.map(raw))), t.X);
assert.deepEqual(v.dice(raw(t.k_1), mixed, 1, 12, 6), t.public_draw_1_twelve_d6);
assert.deepEqual(v.shuffle(raw(t.hid), mixed, 1, 27), t.hidden_draw_1_shuffle_27);
const key = v.audienceKey(raw(t.K_m), mid, 2), salt = v.slotSalt(key, 2, 0);
assert.equal(hex(key), t.K_A_mask_2);
assert.equal(hex(salt), t.salt_seq_2_slot_0);
assert.equal(hex(v.commitment(mid, salt, 2, 0, 2, v.utf8(t.value))), t.seal_seq_2_slot_0_mask_2);
assert.equal(hex(v.tagged("genesis", mid)), t.h_0);
assert.equal(hex(v.checkpointMessage(mid, 2, raw(t.h_2), 1700000001000)), t.checkpoint_message_n_2_t_1700000001000);

const dealt = t.dealt, deal = raw(dealt.event), seed = raw(dealt.seed), dealtX = raw(dealt.X);
assert.equal(hex(v.tagged("deal", deal, seed)), dealt.S);
assert.equal(hex(v.tagged("dealt", deal, raw(dealt.S))), dealt.X);
dealt["dice_of_Ré-1_for_seat_1_times_1_and_2"].forEach(({ key, five_d6 }, i) => {
  const made = v.placeKey(seed, { kind: "dice", rule: "Ré-1", seat: 1, time: i + 1 });
  assert.equal(hex(made), key);
  assert.deepEqual(v.dice(made, dealtX, i + 1, 5, 6), five_d6);
});

const two = t.version_2, note = { seat: two.seat, number: two.decision, id: two.id, ack_seq: two.ack_seq, ack_head: v.b64(raw(two.ack_head)) };
assert.equal(hex(answerCommitment(mid, two.seat, two.decision, raw(two.salt), two.answer)), two.commitment);
assert.equal(hex(choiceMessage(mid, note, raw(two.commitment))), two.choice_message);
assert.equal(hex(actMessage(mid, { ...note, id: two.act_id }, JSON.parse(two.act_said))), two.act_message);
assert.equal(hex(actMessage(mid, { seat: two.seat }, JSON.parse(two.share_said))), two.share_message);
const ed = await crypto.subtle.importKey("raw", raw(two.public), { name: "Ed25519" }, false, ["verify"]);
for (const what of ["choice", "act", "share"]) assert.ok(await crypto.subtle.verify({ name: "Ed25519" }, ed, raw(two[`${what}_signature`]), raw(two[`${what}_message`])), what);

// Every spelling of a point whose order divides 8 (tests/replay/record/test_ed25519.py), and of y beyond the field.
const P = 2n ** 255n - 19n, E = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
const point = y => Uint8Array.from({ length: 32 }, (_, i) => Number((y >> BigInt(8 * i)) & 255n));
for (const y of [0n, 1n, P - 1n, P, P + 1n, E, P - E, P + 2n, 2n ** 255n - 1n]) for (const sign of [0n, 2n ** 255n]) assert.ok(!isSound(point(y + sign)), `${y}`);
for (const y of [2n, 3n, P - 2n, E + 1n, E - 1n]) assert.ok(isSound(point(y)), `${y}`);
assert.ok(!isSound(raw(two.public).subarray(1)));
const said = raw(two.act_message), made = raw(two.act_signature);
assert.equal(await fits(raw(two.public), made, [raw(two.share_message), said]), true);
assert.equal(await fits(raw(two.public), made, [raw(two.share_message)]), false);
assert.equal(await fits(raw(two.public), new Uint8Array([...point(1n), ...made.subarray(32)]), [said]), false);

// Line 1 of these vectors fixes no chance, as that of a match has to: bytes, heads and openings alone are tried.
class Unfixed extends v.Verifier {
  created(taken) {
    const [anchor, hidden] = [v.b64(new Uint8Array(32)), v.b64(new Uint8Array(32))];
    super.created({ ...taken, payload: { anchor, hidden, ...taken.payload } });
  }
}
const verifier = new Unfixed({ match: v.b64(mid), keys: { 2: v.b64(key) } });
verifier.take(t.line_1);
assert.equal(hex(verifier.head), t.h_1);
verifier.take(t.line_2, [[0, t.value]]);
assert.equal(hex(verifier.head), t.h_2);
assert.equal(verifier.openings, 1);

const refuses = ['{"a": 1}', '{"a":1,"a":2}', "1.0", "1e3", "01", "-0", "9007199254740992", '"\\u0041"', '"\\/"', '"e\u0301"', "[".repeat(17) + "]".repeat(17), "[1,]", "[1", '"a', "nul", "1 ", '"\n"'];
for (const bad of refuses) assert.throws(() => v.parse(bad), SyntaxError, bad);
for (const good of ['{"a":[1,-2,"\\n\\u0001"],"2":null}', "9007199254740991", "0", '"\u00e9\u2028\u007f"', "[".repeat(16) + "]".repeat(16), "[]", "{}"]) v.parse(good);
