// Against the server at HERALD_URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bot, Closed, friend, Key, me, openSeat, Refused, Server, some, Verifier } from "@herald/client";

const GAME = "vera_discordia";
const server = new Server(process.env.HERALD_URL);
const { quick } = (await server.games()).find(({ game }) => game === GAME);

/** Sockets that can be cut off, as a network cuts them. */
const cut = { all: [] };
class Cut extends WebSocket {
	constructor(...args) {
		super(...args);
		cut.all.push(this);
	}
}

/** Reads a match's news until one of a kind. */
async function until(match, kind, fits = () => true) {
	for await (const news of { [Symbol.asyncIterator]: () => ({ next: () => match[Symbol.asyncIterator]().next() }) }) {
		if (news.kind === kind && fits(news)) {
			return news;
		}
	}
	throw new Error(`no ${kind} came`);
}

const MOST = 15;

/** Answers by lot, and gives up after some answers; every now and then the connection is cut. Returns the news. */
async function playThroughBreaks(match) {
	const all = [];
	let answers = 0;
	for await (const news of match) {
		all.push(news);
		if (news.kind === "asked") {
			answers++;
			const said = answers === MOST ? match.resign() : match.answer(some(news.prompt.fields[0]));
			if (answers % 5 === 3) {
				cut.all.at(-1).close();
			}
			await said;
		}
	}
	return all;
}

test("a whole match through breaks: nothing is lost, everything is verified and signed", async () => {
	const key = await Key.make();
	const { match: id, tokens } = await server.create(GAME, [me("Ada", key), bot()], { options: quick, shares: true });
	const match = await server.play(id, tokens[0], { key, WebSocket: Cut });
	const all = await playThroughBreaks(match);
	const lines = all.filter(({ kind }) => kind === "lines").flatMap(news => news.lines);
	assert.deepEqual(
		lines.map(({ seq }) => seq),
		lines.map((_, i) => i + 1),
	);
	assert.ok(all.filter(({ kind }) => kind === "entered").length > 1, "it came back");
	assert.equal(match.result.winner, all.at(-1).result.winner);
	assert.equal(match.head.seq, lines.length);
	const chosen = lines.filter(({ type, fields }) => type === "Chosen" && fields.seat === 0);
	const asked = all.filter(({ kind }) => kind === "asked");
	assert.equal(new Set(asked.map(({ prompt }) => prompt.id)).size, asked.length, "nothing is asked twice");
	assert.ok(chosen.length >= asked.length - 1 && asked.length > 3);
	assert.ok(match.verifier.signatures > chosen.length, "choices and share are signed");
	assert.equal(match.verifier.entropy.size, 2);
	assert.equal(match.signedTo, match.head.seq);
	assert.equal(match.scene.seq, match.head.seq);
});

test("two people's shares are given by themselves, and play begins", async () => {
	const [one, other] = [await Key.make(), await Key.make()];
	const { match: id, tokens } = await server.create(GAME, [me("Ada", one), friend("Bo")], {
		options: quick,
		shares: true,
	});
	const ada = await server.play(id, tokens[0], { key: one });
	const bo = await server.play(id, tokens[1], { key: other, name: "Bo" });
	const eve = await server.watch(id, { name: "Eve", scenes: false });
	await Promise.all([ada, bo].map(match => until(match, "lines", () => match.verifier.isBegun)));
	assert.equal(ada.verifier.seated.get(1).key, other.public);
	await ada.offer({ is: "pause", length_ms: 60000 });
	const { offer } = await until(bo, "offered");
	await bo.agree(offer.number);
	assert.ok(bo.table.paused_ms > 0);
	ada.say("Hold!");
	assert.equal((await until(bo, "chatted", ({ lines }) => lines.length > 0)).lines.at(-1).text, "Hold!");
	await until(eve, "present", () => eve.presence.names?.includes("Eve"));
	const caster = await server.play(id, await bo.grant());
	assert.equal(caster.viewer.as, "caster");
	assert.equal(caster.question, null);
	const isTold = wrong => wrong instanceof Closed && wrong.code === 4010;
	const lost = assert.rejects(until(caster, "ended"), isTold);
	await bo.revoke();
	await lost;
	await ada.resign();
	const { result } = await until(bo, "ended");
	assert.equal(result.winner, 1);
	await until(eve, "ended");
	assert.equal(eve.head.hash, bo.head.hash);
});

test("who holds a seat is told where the record names another key than the one here", async () => {
	const [own, next, other] = [await Key.make(), await Key.make(), await Key.make()];
	const { match: id, tokens } = await server.create(GAME, [me("Ada", own), bot()], { options: quick });
	const open = key => server.play(id, tokens[0], key && { key });
	const [ada, strange, none] = [await open(own), await open(other), await open()];
	const eve = await server.watch(id);
	await Promise.all([ada, strange, none].map(match => until(match, "asked")));
	await until(eve, "lines");
	const told = () => [ada, strange, none, eve].map(({ isLockedOut }) => isLockedOut);
	assert.deepEqual(told(), [false, true, true, false]);
	const named = match => until(match, "lines", () => match.verifier.seated.get(0).key === next.public);
	await ada.rotate(next);
	assert.equal(ada.isLockedOut, false, "the former key counts until the record names the new one");
	await Promise.all([ada, strange].map(named));
	assert.deepEqual(told(), [false, true, true, false]);
	for (const match of [ada, strange, none, eve]) {
		match.close();
	}
});

test("what is refused is told to who said it, and the question stays", async () => {
	const { match: id, tokens } = await server.create(GAME, [me("Ada"), bot()], { options: quick });
	const match = await server.play(id, tokens[0]);
	const { prompt } = await until(match, "asked");
	await assert.rejects(match.answer("999"), wrong => wrong instanceof Refused && wrong.code === "not-offered");
	assert.equal((await until(match, "asked")).prompt.id, prompt.id);
	const said = match.choose(Number(prompt.id), some(prompt.fields[0]), "my-id");
	assert.equal(match.question, null);
	const again = match.choose(Number(prompt.id), some(prompt.fields[0]), "my-id-2");
	assert.equal((await said).id, "my-id");
	await assert.rejects(again, wrong => wrong.code === "stale-decision");
	match.close();
	await assert.rejects(match.resign(), Closed);
});

test("who is not let in is told so, and does not come again", async () => {
	const { match: id } = await server.create(GAME, [me("Ada"), openSeat()], { options: quick });
	await assert.rejects(
		server.play(id, "no-such-token"),
		wrong => wrong instanceof Closed && wrong.code === "not-admitted",
	);
	const { seat } = await server.join(id, 1, "Bo");
	assert.equal(seat, 1);
	await assert.rejects(server.join(id, 1, "Cy"), wrong => wrong.code === "cannot-sit");
	const nobody = new Server("http://127.0.0.1:9");
	await assert.rejects(nobody.matches(), Closed);
	await assert.rejects(nobody.watch(id, { tries: 0 }), Closed);
});

test("a record that was changed on its way is refused", async () => {
	const { match: id } = await server.create(GAME, [bot(), bot()], { options: quick });
	class Liar extends WebSocket {
		set onmessage(hear) {
			super.onmessage = ({ data }) => hear({ data: data.replaceAll("DecisionsOpened", "DecisionsClosed") });
		}
	}
	const match = await server.watch(id, { WebSocket: Liar });
	await assert.rejects(until(match, "ended"), { name: "Broken" });
});

test("a verifier takes lines from anywhere, and tells them as data", async () => {
	const { match: id } = await server.create(GAME, [bot(), bot()], { options: quick });
	const match = await server.watch(id, { scenes: false });
	const verifier = new Verifier(id);
	for await (const news of match) {
		for (const { text } of news.kind === "lines" ? news.lines : []) {
			await verifier.take(text);
		}
	}
	assert.deepEqual([verifier.seq, verifier.head], [match.head.seq, match.head.hash]);
	assert.deepEqual(verifier.result, match.result);
	const waiting = new Verifier(id);
	waiting.claim(1, verifier.head);
	assert.throws(() => waiting.claim(1, ""), { name: "Broken", seq: 1 });
	assert.throws(() => verifier.claim(1, verifier.head), { name: "Broken", seq: 1 });
});

test("a hint is told to who asks, is the same the second time, and is refused where none was agreed on", async () => {
	const key = await Key.make();
	const table = async hints => {
		const { match: id, tokens } = await server.create(GAME, [me("Ada", key), bot()], { options: quick, hints });
		const match = await server.play(id, tokens[0], { key, WebSocket: Cut });
		await until(match, "asked");
		return match;
	};
	const match = await table(true);
	assert.ok(match.table.hints);
	const asking = match.hint();
	cut.all.at(-1).close();
	const found = await asking;
	assert.equal(found.decision, Number(match.question.id));
	assert.deepEqual((await match.hint()).choices, found.choices);
	assert.deepEqual([...match.verifier.hintsAsked], [found.decision]);
	await match.answer(found.choices[0].answer);
	await match.verifier.prove();
	match.close();
	const without = await table(false);
	await assert.rejects(without.hint(), wrong => wrong instanceof Refused && wrong.code === "no-hints");
	without.close();
});

test("what is said with its defaults is signed as its line has it", async () => {
	const [one, other] = [await Key.make(), await Key.make()];
	const wishes = { options: quick, shares: true };
	const { match, tokens } = await server.create(GAME, [me("Ada", one), friend("Bo")], wishes);
	const ada = await server.play(match, tokens[0], { key: one });
	const bo = await server.play(match, tokens[1], { key: other });
	await until(ada, "lines", () => ada.verifier.isBegun);
	const offers = [
		{ is: "replace", seat: 1, bot: "random" },
		{ bot: "random", absent_ms: 0, seat: 1, is: "replace" },
		{ is: "take_back", line: 0 },
		{ length_ms: 60_000, is: "pause" },
		{ is: "draw" },
		{ is: "abandon" },
	];
	const taken = [];
	for (const terms of offers) {
		try {
			taken.push(await ada.offer(terms));
			await ada.decline(taken.length);
		} catch ({ code }) {
			assert.equal(code, "not-now", JSON.stringify(terms));
		}
	}
	assert.ok(taken.length > 3);
	await assert.rejects(ada.claim(1), { code: "not-now" });
	await assert.rejects(ada.claim(1, false), { code: "not-now" });
	await assert.rejects(ada.vacation(0), { code: "not-now" });
	await ada.resign();
	bo.close();
});
