import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { AccountDoor, Key, me, openSeat, pairingNumber, Refused, Server } from "@herald/client";

const url = process.env.HERALD_URL;
const fresh = () => `Anja ${randomBytes(4).toString("hex")}`;

test("an account is made, entered, and left by its last device", { skip: !url }, async () => {
	const [door, handle] = [new AccountDoor(url, await Key.make()), fresh()];
	const { recovery } = await door.signUp(handle, "phone");
	assert.equal(recovery.split("-").length, 8);
	const session = await door.session();
	assert.equal((await session.account()).handle, handle);
	const key = await Key.make();
	const tablet = new AccountDoor(url, key);
	const { code } = await session.offerPairing();
	const number = await tablet.askPairing(code, "tablet");
	const { asks } = await session.account();
	assert.equal(number, pairingNumber(code, asks.key));
	assert.equal((await session.confirmPairing(key.public)).devices.length, 2);
	assert.equal((await session.exported()).vouchers?.length, 1);
	const created = await new Server(url).create("vera_discordia", [me("Anja"), openSeat()]);
	await session.keepSeat(created.match, created.tokens[0]);
	assert.equal((await session.matches()).matches[0].match, created.match);
	await session.revoke(key.public);
	await assert.rejects(tablet.session(), Refused);
	assert.equal(await session.delete(handle), true);
	await session.end();
	await assert.rejects(door.session(), Refused);
});
