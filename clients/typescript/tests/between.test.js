// Against the server at HERALD_URL: whoever stands between it and one player, and changes what no line proves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Broken, friend, Key, me, Server, some } from "@herald/client";

const GAME = "vera_discordia";
const PAUSE = { is: "pause", length_ms: 600_000 };
const server = new Server(process.env.HERALD_URL);
const { quick } = (await server.games()).find(({ game }) => game === GAME);

/** Sockets on which every message of the server's is changed. */
const between = change =>
	class extends WebSocket {
		set onmessage(heard) {
			this.addEventListener("message", ({ data }) => {
				const message = JSON.parse(data);
				change(message);
				heard({ data: JSON.stringify(message) });
			});
		}
	};

/** Ada at the server, and Bo with somebody between. */
async function two(change) {
	const [one, other] = [await Key.make(), await Key.make()];
	const wishes = { options: quick, shares: true };
	const { match, tokens } = await server.create(GAME, [me("Ada", one), friend("Bo")], wishes);
	const ada = await server.play(match, tokens[0], { key: one });
	const bo = await server.play(match, tokens[1], { key: other, WebSocket: between(change) });
	return [ada, bo];
}

async function until(match, kind, fits = () => true) {
	for (;;) {
		const { value, done } = await match[Symbol.asyncIterator]().next();
		assert.ok(!done, `no ${kind} came`);
		if (value.kind === kind && fits(value)) {
			return value;
		}
	}
}

function pauseForDraw(message) {
	for (const offer of message.table?.offers ?? []) {
		offer.terms = PAUSE;
	}
}

test("what the server says it accepted is not believed where another line is named", async () => {
	const [ada, bo] = await two(message => {
		if (message.t === "accepted") {
			message.seq--;
		}
	});
	await until(ada, "lines", () => ada.verifier.isBegun);
	await assert.rejects(bo.offer({ is: "draw" }), Broken);
	assert.deepEqual((await until(ada, "offered")).offer.terms, { is: "draw" }, "the line stands all the same");
	ada.close();
});

test("a library that is older than the rules refuses them, and takes their table from the server", async () => {
	const [ada, bo] = await two(() => {});
	await until(ada, "lines", () => ada.verifier.isBegun);
	const table = await (await fetch(`${process.env.HERALD_URL}/lines/${GAME}.json`)).json();
	const older = await server.watch(ada.id, { games: { [GAME]: { ...table, rules: 0 } } });
	await assert.rejects(until(older, "lines"), /are none that this program knows here/);
	const newer = await server.watch(ada.id, { games: { [GAME]: table } });
	assert.equal((await until(newer, "lines")).lines[0].type, "MatchCreated");
	for (const match of [ada, bo, newer]) {
		match.close();
	}
});

test("what was accepted counts once its line is here", async () => {
	const Late = class extends WebSocket {
		set onmessage(heard) {
			const passed = ({ data }) => heard({ data });
			this.addEventListener("message", message => {
				const isLine = JSON.parse(message.data).t === "events";
				setTimeout(passed, isLine ? 200 : 0, message);
			});
		}
	};
	const { match, tokens } = await server.create(GAME, [me("Ada"), friend("Bo")], { options: quick });
	const [ada, bo] = [await server.play(match, tokens[0]), await server.play(match, tokens[1], { WebSocket: Late })];
	await until(bo, "lines", () => bo.verifier.isBegun);
	const { seq } = await bo.offer({ is: "draw" });
	assert.ok(bo.verifier.seq >= seq);
	ada.close();
	bo.close();
});

test("an offer is what its line says, whatever the table says", async () => {
	const [ada, bo] = await two(pauseForDraw);
	await until(ada, "lines", () => ada.verifier.isBegun);
	await ada.offer({ is: "draw" });
	const { offer } = await until(bo, "offered");
	assert.deepEqual([offer.terms, offer.seat, offer.asked], [{ is: "draw" }, 0, [1]]);
	await bo.agree(offer.number);
	assert.equal((await until(ada, "ended")).result.reason, "draw agreed");
	bo.close();
});

test("who changes the line too is found, and nothing is signed", async () => {
	const [ada, bo] = await two(message => {
		pauseForDraw(message);
		for (const item of message.items ?? []) {
			item[0] = item[0].replace('{"is":"draw"}', JSON.stringify(PAUSE));
		}
	});
	await until(ada, "lines", () => ada.verifier.isBegun);
	await ada.offer({ is: "draw" });
	await assert.rejects(until(bo, "offered"), Broken);
	await assert.rejects(bo.agree(1));
	assert.equal(ada.result, null);
	ada.close();
});

test("what no line says of the table and the seats is not so", async () => {
	const [ada, bo] = await two(message => {
		if (["events", "welcome"].includes(message.t)) {
			const offers = [{ number: 1, seat: 0, terms: PAUSE, asked: [1] }];
			message.table = { offers, paused_ms: 5000, reveal: [1], hints: true, hinted: [1] };
		}
		for (const seat of message.seats ?? []) {
			Object.assign(seat, { name: "Eve", kind: "bot" });
		}
	});
	await until(bo, "seated", ({ seats }) => seats.every(({ kind }) => kind));
	const { offers, paused_ms, reveal, hints, hinted } = bo.table;
	assert.deepEqual([offers, paused_ms, reveal, hints, hinted], [[], 0, [], false, []]);
	assert.deepEqual(
		bo.seats.map(({ name, kind }) => [name, kind]),
		[
			["Ada", "person"],
			["Bo", "person"],
		],
	);
	ada.close();
	bo.close();
});

test("a question that no line asks is none", async () => {
	const [ada, bo] = await two(message => {
		const scenes = [message.scene, ...(message.steps ?? []).flatMap(step => [step.scene, step.set])];
		for (const scene of scenes) {
			if (scene?.prompt) {
				scene.prompt.id = String(Number(scene.prompt.id || 0) + 1);
			}
		}
	});
	// one reader for each match: a second one would wait for news that the first has read
	await Promise.all([ada, bo].map(one => until(one, "shown", () => ["you", "wait"].includes(one.prompt?.mode))));
	assert.ok([ada, bo].some(one => one.prompt?.mode === "you"));
	assert.equal(bo.question, null);
	await assert.rejects(bo.choose(999, some({ type: "one", options: [{ id: "0" }] })), { code: "stale-decision" });
	ada.close();
	bo.close();
});

/** A match that is directed, and somebody who watches with somebody between. */
async function directed(change) {
	const { match, tokens } = await server.create(GAME, [me("Ada"), friend("Bo")], { options: quick });
	const ada = await server.play(match, tokens[0]);
	const director = await server.play(match, await ada.grant(true), { name: "Cato" });
	const watching = await server.watch(match, { WebSocket: between(change) });
	return [ada, director, watching];
}

const LIES = {
	stripped: message => {
		message.direction = { note: "lie" };
		delete message.said;
		delete message.signed;
	},
	changed: message => {
		message.said = message.said.replace("truth", "lie");
	},
	beside: message => {
		message.direction = { note: "lie" };
	},
};

for (const [name, lie] of Object.entries(LIES)) {
	test(`a direction that was not signed so is told as a lie: ${name}`, async () => {
		const [ada, director, watching] = await directed(message => message.t === "directed" && lie(message));
		director.direct({ note: "truth" });
		const told = await until(watching, "directed");
		if (name === "beside") {
			assert.deepEqual([told.direction, told.name, told.proof], [{ note: "truth" }, "Cato", "server"]);
		} else {
			assert.deepEqual([told.direction, told.proof], [null, "false"]);
		}
		for (const match of [ada, director, watching]) {
			match.close();
		}
	});
}

test("an older direction that comes again is a lie", async () => {
	const heard = [];
	const [ada, director, watching] = await directed(message => {
		if (message.t === "directed") {
			heard.push({ ...message });
			Object.assign(message, heard[heard.length > 2 ? 0 : heard.length - 1]);
		}
	});
	for (const note of ["one", "two", "three"]) {
		director.direct({ note });
	}
	const told = [
		await until(watching, "directed"),
		await until(watching, "directed"),
		await until(watching, "directed"),
	];
	assert.deepEqual(
		told.map(({ direction }) => direction?.note),
		["one", "two", undefined],
	);
	assert.equal(told[2].why, "it is older than the one before it");
	for (const match of [ada, director, watching]) {
		match.close();
	}
});
