// Checks a match while it comes in, in slices that do not hold the table up.
import { Verifier, b64, isSigned } from "../verify.js";

const SLICE = 100;

export class Check {
	// told(check): after every slice; missing(since): send lines again
	constructor(told, missing) { this.told = told; this.missing = missing; this.queue = []; this.busy = false; }
	welcome({ match, keys, head }) {
		if (this.verifier?.match !== match) this.verifier = new Verifier({ match, keys });
		this.asked = 0;
		this.claim(head);
	}
	get seq() { return this.verifier?.seq ?? 0; }
	get fault() { return this.verifier?.fault; }
	get head() { return b64(this.verifier.head); }
	// what this client has verified, for the next choice to say
	get ack() { return this.seq && !this.fault ? { ack_seq: this.seq, ack_head: this.head } : {}; }
	claim(head) { if (head) this.queue.push(head); this.run(); }
	events({ from, items, head }) {
		items.forEach(([line, openings], i) => this.queue.push([from + i, line, openings]));
		this.claim(head);
	}
	// the server's signature under a line that is checked
	async stamped() {
		const { seq, signed } = this.stamp, good = await isSigned(this.verifier, seq, signed);
		this.stamp = null;
		if (good === false) this.verifier.fail(seq, "the server's signature is not right");
		if (good) this.signed = seq;
	}
	async run() {
		if (this.busy || this.fault) return;
		this.busy = true;
		try {
			for (let n = 1; this.queue.length; n++) {
				const next = this.queue[0];
				// a gap: everything after it comes again
				if (Array.isArray(next) && next[0] > this.seq + 1) {
					this.queue.length = 0;
					if (this.asked <= this.seq) { this.asked = this.seq + 1; this.missing(this.seq); }
					break;
				}
				this.queue.shift();
				if (Array.isArray(next)) this.verifier.take(next[1], next[2], next[0]);
				else { if (next.hash) this.verifier.claim(next.seq, next.hash); if (next.signed) this.stamp = next; }
				if (this.stamp?.seq <= this.seq) await this.stamped();
				if (n % SLICE === 0) { this.told(this); await new Promise(r => setTimeout(r)); }
			}
		} catch (wrong) { if (!this.fault) throw wrong; this.queue.length = 0; }
		this.busy = false;
		this.told(this);
	}
}
