import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import {
	AccountDoor,
	bot,
	Broken,
	friend,
	Key,
	me,
	openSeat,
	pairingNumber,
	personKey,
	Refused,
	Server,
	Verifier,
} from "@herald/client";

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

/** A match of two, both of whom have keys, with its lines until it has begun. */
async function begun(server) {
	const [one, other] = [await Key.make(), await Key.make()];
	const made = await server.create("vera_discordia", [me("Ada", one), friend("Bo")], { shares: true });
	const ada = await server.play(made.match, made.tokens[0], { key: one });
	const bo = await server.play(made.match, made.tokens[1], { key: other, name: "Bo" });
	return { made, ada, bo };
}

test(
	"a person who stands behind a seat is shown to opponents, who check it, and no other opening passes",
	{ skip: !url },
	async () => {
		const [own, server] = [await Key.make(), new Server(url)];
		const [door, handle] = [new AccountDoor(url, own), fresh()];
		await door.signUp(handle, "phone");
		const session = await door.session();
		const { made, ada, bo } = await begun(server);
		const opening = await ada.claimSeat(personKey(own));
		assert.deepEqual(await bo.persons(), []);
		await session.keepSeat(made.match, made.tokens[0], { claim: opening, shown: "opponents" });
		await until(bo, opening.line);
		const [person] = await bo.persons();
		assert.deepEqual([person.seat, person.handle, person.person], [0, handle, own.public]);
		const verifier = await readAgain(server, made.match, opening.line);
		assert.equal((await verifier.person(opening)).seat, 0);
		const other = (await Key.make()).public;
		for (const wrong of [
			{ key: other },
			{ line: 1 },
			{ match: "A".repeat(22) },
			{ site: "elsewhere" },
			{ salt: other },
		]) {
			await assert.rejects(verifier.person({ ...opening, ...wrong }), Broken);
		}
		ada.close();
		bo.close();
		await session.end();
	},
);

/** A reader of a match that has not checked anything yet, up to a line. */
async function readAgain(server, match, line) {
	const [eve, verifier] = [await server.watch(match, { scenes: false }), new Verifier(match)];
	for await (const news of eve) {
		for (const one of news.lines ?? []) {
			await verifier.take(one.text, one.openings);
		}
		if (verifier.seq >= line) {
			break;
		}
	}
	eve.close();
	return verifier;
}

async function until(match, line) {
	while (match.head.seq < line) {
		await new Promise(go => {
			setTimeout(go, 20);
		});
	}
}

test("a seat is entered by the account alone, and its former token opens nothing", { skip: !url }, async () => {
	const [own, server] = [await Key.make(), new Server(url)];
	const door = new AccountDoor(url, own);
	await door.signUp(fresh(), "phone");
	const session = await door.session();
	const key = await Key.make();
	const made = await server.create("vera_discordia", [me("Ada", key), bot()]);
	const ada = await server.play(made.match, made.tokens[0], { key });
	await session.keepSeat(made.match, made.tokens[0]);
	const token = randomBytes(32).toString("base64url");
	await assert.rejects(session.enterSeat(made.match, token), Refused, "its key has vouched for nobody");
	await session.keepSeat(made.match, made.tokens[0], { signature: await ada.entry(own.public) });
	assert.equal((await session.enterSeat(made.match, token)).seat, 0);
	const again = await server.play(made.match, token, { key });
	assert.equal(again.seat, 0);
	again.close();
	await session.end();
});
