// The load that Herald and its peers are measured with: `node driver.mjs KIND PORT PID MATCHES SECONDS`.
//
// All matches are entered, both seats of each at a websocket of its own. Then every seat moves as soon as it is asked,
// for so many seconds. At last spectators join matches that are under way. Prints one line of JSON.
import { readFileSync } from "node:fs";
import { setTimeout as rest } from "node:timers/promises";

const [KIND, ...numbers] = process.argv.slice(2);
const [PORT, PID, MATCHES, SECONDS] = numbers.map(Number);
const { created, entered } = await import(KIND === "herald" ? "./herald.mjs" : `./${KIND}_player.mjs`);
const TICKS_A_S = 100;
const AT_ONCE = 20;
const JOINS = 20;
const REST_MS = 500;

/** Processor seconds of the server, and bytes of memory that are its alone. */
function spent() {
	const after = readFileSync(`/proc/${PID}/stat`, "utf8").split(")").at(-1).trim().split(" ");
	return (Number(after[11]) + Number(after[12])) / TICKS_A_S;
}

function memory() {
	return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${PID}/status`, "utf8"))[1]) * 1024;
}

const times = [];
let isMeasured = false;
let isOpen = false;
let moves = 0;

/** One seat: asked, it moves at once, or as soon as all may. */
class Seat {
	#sent = 0;
	#isAsked = false;

	async enter(ticket) {
		this.match = ticket.match;
		this.table = await entered(
			ticket,
			() => {
				this.#isAsked = true;
				this.move();
			},
			() => {
				if (isMeasured) {
					moves += 1;
					times.push(performance.now() - this.#sent);
				}
			},
		);
		return this;
	}

	move() {
		if (isOpen && this.#isAsked) {
			this.#isAsked = false;
			this.#sent = performance.now();
			this.table.move();
		}
	}
}

async function match() {
	const seats = [];
	for (const ticket of await created(PORT)) {
		seats.push(await new Seat().enter(ticket));
	}
	return seats;
}

function percentile(values, part) {
	const ordered = [...values].sort((a, b) => a - b);
	return ordered[Math.min(ordered.length - 1, Math.trunc(part * ordered.length))];
}

const bytes = seats => seats.reduce((sum, seat) => sum + seat.table.bytes(), 0);

/** Spectators join one after another: ms and bytes until each has the match. */
async function joined(seats) {
	const found = { ms: [], bytes: [] };
	for (const { match } of seats.slice(0, JOINS)) {
		const begun = performance.now();
		const table = await entered({ port: PORT, match }, () => {}, () => {});
		found.ms.push(performance.now() - begun);
		found.bytes.push(table.bytes());
		table.close();
	}
	return found;
}

await match(); // what is loaded with the first match is no match's
await rest(REST_MS);
const before = memory();
const seats = [];
for (let made = 0; made < MATCHES; made += AT_ONCE) {
	const some = Array.from({ length: Math.min(AT_ONCE, MATCHES - made) }, () => match());
	seats.push(...(await Promise.all(some)).flat());
}
await rest(REST_MS);
const held = (memory() - before) / MATCHES;
isOpen = true;
seats.forEach(seat => seat.move());
await rest(REST_MS);
const [sent, used, begun] = [bytes(seats), spent(), performance.now()];
isMeasured = true;
await rest(SECONDS * 1000);
isMeasured = false;
const seconds = (performance.now() - begun) / 1000;
const [server_s, moved] = [spent() - used, bytes(seats) - sent];
isOpen = false;
await rest(REST_MS);
const late = await joined(seats.filter((_, number) => number % 2 === 0));
const told = {
	moves,
	seconds,
	server_s,
	p50_ms: percentile(times, 0.5),
	p99_ms: percentile(times, 0.99),
	match_bytes: held,
	move_bytes: moved / moves,
	join_ms: percentile(late.ms, 0.5),
	join_bytes: percentile(late.bytes, 0.5),
	join_after: moves / MATCHES,
};
process.stdout.write(`${JSON.stringify(told)}\n`, () => process.exit(0));
