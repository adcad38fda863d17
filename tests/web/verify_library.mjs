// Verifies files of seats and spectators with the client library's own `Verifier`: one JSON line a file, as verify-stream.mjs.
// usage: verify_library.mjs TABLES KEY FILE...; TABLES: a file of tables of games that the library does not know;
// KEY: the public key under which the server has to have signed, "" for any or none
import { readFileSync } from "node:fs";
import { messagesOf } from "../../scripts/record-file.mjs";
import { Verifier } from "../../server/web/client/record.js";

async function verify(bytes, games, key) {
	const messages = messagesOf(bytes);
	const verifier = new Verifier(messages[0].match, messages[0].keys, games);
	for (const message of messages) {
		if (message.t === "events") {
			verifier.claim(message.head.seq, message.head.hash);
			const [[line, openings]] = message.items;
			await verifier.take(line, openings);
		} else if (message.t === "checkpoint") {
			await verifier.checkpoint(message.seq, message.signed);
		} else {
			verifier.claim(message.head.seq, message.head.hash);
		}
	}
	const servers = [...verifier.servers];
	if (key && servers.join() !== key) {
		throw new Error("nobody has signed this record who was named");
	}
	if (JSON.parse(messages[1].items[0][0])[8].game !== messages[0].game) {
		throw new Error("the file is of another game");
	}
}

const [tables, key, ...files] = process.argv.slice(2);
const { games } = JSON.parse(readFileSync(tables, "utf8"));
for (const file of files) {
	try {
		await verify(readFileSync(file), games, key);
		console.log(JSON.stringify({ file, ok: true }));
	} catch (wrong) {
		console.log(JSON.stringify({ file, ok: false, seq: wrong.seq ?? null, why: wrong.why ?? wrong.message }));
	}
}
