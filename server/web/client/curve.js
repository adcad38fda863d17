const ED = "Ed25519";
/** The prime of the field. */
const P = 2n ** 255n - 19n;
/**
 * Whether 32 bytes may be a key, or the point of a signature: they are y in its only valid form, and the order of the point does not
 * divide 8. Under a key of low order, one signature is valid for every message.
 */
export function isSound(point) {
    const y = point.reduceRight((n, byte) => n * 256n + BigInt(byte), 0n) % 2n ** 255n;
    const z = y * y;
    // RFC 8032 5.1: -x² + y² = 1 + d·x²·y², d = -121665/121666. Orders 1 and 2 have y² = 1, order 4 has y = 0. A point that
    // doubles to y = 0 has x² = -y², hence d·y⁴ + 2y² - 1 = 0: order 8
    const low = z * (z - 1n) * (121665n * z * z - 243332n * z + 121666n);
    return point.length === 32 && y < P && low % P !== 0n;
}
/** Whether a signature is the key's over one of the messages; null if WebCrypto has no Ed25519. */
export async function fits(key, signature, messages) {
    if (!isSound(key) || !isSound(signature.subarray(0, 32))) {
        return false;
    }
    const subtle = globalThis.crypto?.subtle;
    let held;
    try {
        held = await subtle.importKey("raw", key, ED, false, ["verify"]);
    }
    catch {
        return null;
    }
    const tried = await Promise.all(messages.map(one => subtle.verify(ED, held, signature, one)));
    return tried.includes(true);
}
