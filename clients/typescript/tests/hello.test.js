// The client's behaviour towards a server that cannot let it in at the moment; without a server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Closed, Server } from "@herald/client";
import { Connection } from "../lib/connection.js";

const PASSES = ["try-again", "server-fault", "origin-away"];
const STAYS = ["no-match", "not-admitted", "beyond-head"];

/** A class of sockets: the n-th that is made answers its hello with the n-th answer; `made` holds the hellos. */
const answering = (answers, made) =>
	class {
		readyState = 1;
		constructor() {
			setTimeout(() => this.onopen());
		}
		send(frame) {
			const hello = JSON.parse(frame);
			if (hello.t === "hello") {
				const answer = answers[made.push(hello) - 1];
				setTimeout(() => this.onmessage({ data: JSON.stringify({ id: hello.id, why: "Said so.", ...answer }) }));
			}
		}
		close() {
			this.readyState = 3;
		}
	};

/** Enters a match, loses the connection, and is answered so; what was heard, and how many hellos were sent. */
const returning = answers =>
	new Promise(done => {
		const [made, heard] = [[], []];
		const connection = new Connection(
			() => [{ t: "hello", match: "M", since: 7 }],
			{
				message: m => {
					heard.push(m.code ?? m.t);
					if (heard.length === 1) {
						connection.cut();
					} else {
						connection.stop();
						done([heard, made.length]);
					}
				},
				state: () => {},
			},
			"ws://localhost",
			answering([{ t: "welcome" }, ...answers], made),
		);
	});

for (const code of PASSES) {
	test(`a client that comes back and is told ${code} tries again`, async () => {
		assert.deepEqual(await returning([{ t: "error", code }, { t: "welcome" }]), [["welcome", "welcome"], 3]);
	});
}

for (const code of STAYS) {
	test(`a client that comes back and is told ${code} does not try again`, async () => {
		assert.deepEqual(await returning([{ t: "error", code }]), [["welcome", code], 2]);
	});
}

test("each further attempt comes later", () => {
	const connection = new Connection(() => [], { message: () => {}, state: () => {} }, "", answering([], []));
	const refusal = JSON.stringify({ t: "error", code: "try-again", why: "", id: "hello" });
	connection.heard(JSON.stringify({ t: "welcome" }));
	const tries = [1, 2, 3].map(() => {
		connection.heard(refusal);
		return connection.tries;
	});
	connection.stop();
	assert.deepEqual(tries, [1, 2, 3]);
});

for (const code of [...PASSES, ...STAYS]) {
	test(`a client that was never let in and is told ${code} ends with it`, async () => {
		const options = { WebSocket: answering([{ t: "error", code }], []) };
		const entering = new Server("http://localhost").play("M".repeat(22), "T", options);
		await assert.rejects(entering, wrong => wrong instanceof Closed && wrong.code === code);
	});
}
