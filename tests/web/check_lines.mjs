// The page's own check on a file of a view: which line it names, with the table of its game and without one.
// usage: check_lines.mjs TABLES FILE
import { readFileSync } from "node:fs";
import { messagesOf } from "../../scripts/record-file.mjs";
import { Check } from "../../server/web/client/check.js";

const [tables, file] = process.argv.slice(2);
const { games } = JSON.parse(readFileSync(tables, "utf8"));
const [begin, ...rest] = messagesOf(readFileSync(file));
const asked = [];

async function named(tablesOf) {
	const check = new Check(() => {}, () => {}, tablesOf);
	await check.welcome(begin);
	for (const message of rest) {
		await check.events(message);
	}
	await check.settled();
	return check.fault?.seq ?? -1;
}

const later = async game => {
	asked.push(game);
	await new Promise(go => setTimeout(go, 5));
	return games;
};
let broken = true;
const unsteady = game => {
	if (broken) {
		broken = false;
		throw new Error("the network");
	}
	return later(game);
};

async function afterAll() {
	const check = new Check(() => {}, () => {}, unsteady);
	await check.welcome(begin);
	const failed = await check.events(rest[0]).then(() => "", wrong => wrong.message);
	for (const message of rest.slice(1)) {
		await check.events(message);
	}
	await check.settled();
	return [failed, check.fault?.seq ?? -1];
}

const withTable = await named(later);
const told = { with: withTable, asked: [...asked], without: await named(() => ({})), again: await afterAll() };
console.log(JSON.stringify(told));
