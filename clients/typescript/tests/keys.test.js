import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BadLink, BrowserKeys, Key, MemoryKeys, readLink, writeLink } from "@herald/client";
import { FileKeys } from "@herald/client/node";

const storage = () => {
	const kept = new Map();
	return {
		getItem: name => kept.get(name) ?? null,
		setItem: (name, text) => kept.set(name, text),
		removeItem: name => kept.delete(name),
	};
};

test("a key is read from its text, and from no other", async () => {
	const key = await Key.make();
	assert.equal((await Key.read(key.text)).public, key.public);
	await assert.rejects(Key.read(key.text.slice(1)), BadLink);
	await assert.rejects(Key.read(""), BadLink);
});

test("a share of chance is the hash of key, match and seat", async () => {
	const key = await Key.make();
	const seed = Buffer.from(key.text, "base64url").subarray(16);
	const mid = new Uint8Array(16).fill(7);
	const hash = createHash("sha256").update("herald share\0").update(seed).update(mid).update(Uint8Array.of(1));
	assert.equal(key.share(mid, 1), hash.digest("base64url"));
	assert.notEqual(key.share(mid, 0), key.share(mid, 1));
});

test("keys are kept by token, and forgotten", async () => {
	const folder = join(await mkdtemp(join(tmpdir(), "keys-")), "deeper");
	for (const keys of [new MemoryKeys(), new BrowserKeys(storage()), new FileKeys(folder)]) {
		const [one, other] = [await Key.make(), await Key.make()];
		await keys.keep("token", one);
		await keys.keep("token", other);
		assert.equal((await keys.of("token")).text, other.text);
		assert.equal(await keys.of("another"), null);
		await keys.forget("token");
		assert.equal(await keys.of("token"), null);
	}
});

test("a file with a key is its owner's alone, and its name does not tell the token", async () => {
	const folder = await mkdtemp(join(tmpdir(), "keys-"));
	await new FileKeys(folder).keep("token", await Key.make());
	const [name, ...others] = await readdir(folder);
	assert.deepEqual(others, []);
	assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
	assert.ok(!name.includes("token"));
});

test("a link is read as it is written", () => {
	for (const link of [
		{ server: "http://127.0.0.1:8000", match: "M", token: "T", key: "K", invitation: "" },
		{ server: "https://herald.example", match: "M", token: "T", key: "", invitation: "" },
		{ server: "https://herald.example", match: "M", token: "", key: "", invitation: "" },
		{ server: "https://herald.example", match: "M", token: "", key: "", invitation: "I" },
	]) {
		assert.deepEqual(readLink(writeLink(link)), link);
	}
	for (const wrong of ["", "http://127.0.0.1:8000/play", "ftp://host/play#m=M", "m=M"]) {
		assert.throws(() => readLink(wrong), BadLink);
	}
});

test("a key of the library is read and signs as one of WebCrypto", async () => {
	const { softKey, softOpen, softSign } = await import(new URL("../lib/softkey.js", import.meta.url));
	const made = await softKey();
	const key = await Key.read(made.own);
	assert.equal(key.public, made.open);
	assert.equal(await softOpen(made.own), made.open);
	const message = new TextEncoder().encode("what is signed");
	const open = await crypto.subtle.importKey("raw", Buffer.from(made.open, "base64url"), "Ed25519", false, ["verify"]);
	const signature = Buffer.from(await softSign(made.own, message), "base64url");
	assert.ok(await crypto.subtle.verify("Ed25519", open, signature, message));
	await assert.rejects(softOpen(made.own.slice(1)), SyntaxError);
	await assert.rejects(softOpen(`${made.own}AAAA`), SyntaxError);
});
