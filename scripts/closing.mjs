// What only a whole record lets one check, on top of server/web/verify.js: what the match's end discloses, and the
// server's signatures. The page of a match has neither.
import { concat, prf, same, stream, tagged, u32, u64, unb64, utf8 } from "../server/web/verify.js";

const CHAIN_LENGTH = 4096;

export function shuffle(hid, mixed, draw, size) {
  const below = stream(prf(hid, "hid", u32(draw)), mixed, draw), items = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) { const j = below(i + 1); [items[i], items[j]] = [items[j], items[i]]; }
  return items;
}

export function chainStart(last, length = CHAIN_LENGTH) {
  for (let j = 0; j < length; j++) last = tagged("chain", last);
  return last;
}

// K_m, k_N, hid: checks the commitments of line 1 and every shuffle that is held. Throws `Broken`.
export function close(verifier, { k_m, k_n, hid }) {
  const secret = unb64(hid);
  if (!same(tagged("hid", verifier.mid, secret), verifier.hidden)) verifier.fail(1, "the hidden chance is not the one that was fixed");
  if (!same(chainStart(unb64(k_n)), verifier.anchor)) verifier.fail(1, "the chain of keys is not the one that was fixed");
  verifier.root ??= unb64(k_m);
  verifier.shuffles.forEach(([seq, size, order], i) => {
    if (order !== undefined && order !== "null" && order !== JSON.stringify(shuffle(secret, verifier.mixed, i + 1, size))) {
      verifier.fail(seq, "the shuffle is not what the hidden chance gives");
    }
  });
}

export const checkpointMessage = (mid, seq, head, at) => concat([utf8("hr1/checkpoint\0"), mid, u64(seq), head, u64(at)]);

// A checkpoint as stored: time, public key, signature. True or false; null where WebCrypto has no Ed25519.
export async function isSigned(verifier, seq, signed) {
  const bytes = unb64(signed), subtle = globalThis.crypto?.subtle;
  if (bytes.length !== 104 || !verifier.heads[seq]) return false;
  const at = Number(new DataView(bytes.buffer).getBigUint64(0));
  let key;
  try { key = await subtle.importKey("raw", bytes.subarray(8, 40), { name: "Ed25519" }, false, ["verify"]); } catch { return null; }
  return subtle.verify({ name: "Ed25519" }, key, bytes.subarray(40), checkpointMessage(verifier.mid, seq, verifier.heads[seq], at));
}
