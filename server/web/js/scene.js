// Scene state: merge patches (RFC 7396 on id-keyed objects) and a timeline that can run both ways.

export function merge(target, patch) {
	if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
	const out = target && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
	for (const k in patch) {
		if (patch[k] === null) delete out[k];
		else out[k] = merge(out[k], patch[k]);
	}
	return out;
}

export function applyStep(scene, step) {
	if (step.scene) return step.scene;
	const next = merge(scene, step.set || {});
	if (step.log) next.log = (scene.log || []).concat(step.log);
	next.seq = step.seq;
	return next;
}

// What comes in for a timeline. A patch is made for the Scene at its frame's `from` - 1 and fits no other: where that is
// not the last Scene taken in, a whole one is asked for, and a whole one is taken whatever line it is of.
export class Incoming {
	// take(...steps); missing(): a whole Scene is wanted
	constructor(take, missing) { this.take = take; this.missing = missing; }
	snapshot(m) {
		if (m.seq !== this.seq) this.take(m);
		this.seq = m.seq;
		this.asked = false;
	}
	events({ from, to, steps = [] }) {
		if (!steps.length || to <= this.seq || this.asked) return;
		if (from - 1 === this.seq) { this.take(...steps); this.seq = to; } else { this.asked = true; this.missing(); }
	}
}

// Steps from a first Scene on; a step may be a whole Scene (after a reconnection). Every 16th Scene is kept, so a seek
// applies at most 16 patches.
export class Timeline {
	constructor(scene, steps = [], every = 16) {
		this.steps = steps; this.every = every; this.kept = new Map([[0, scene]]);
	}
	get length() { return this.steps.length; }
	at(i) {
		let base = Math.floor(i / this.every) * this.every;
		while (!this.kept.has(base)) base -= this.every;
		let scene = this.kept.get(base);
		for (let k = base; k < i; k++) {
			if (this.last?.[0] === k + 1) scene = this.last[1];
			else scene = applyStep(scene, this.steps[k]);
			if ((k + 1) % this.every === 0) this.kept.set(k + 1, scene);
		}
		this.last = [i, scene];
		return scene;
	}
	push(step) { this.steps.push(step); }
	// the step that shows line `seq`: the first that has it
	find(seq) {
		if (seq <= (this.kept.get(0).seq ?? 0)) return 0;
		const i = this.steps.findIndex(s => (s.seq ?? s.scene?.seq) >= seq);
		return i < 0 ? this.steps.length : i + 1;
	}
	// where the chronicle has headings: [[step, text]...]
	headings() {
		const heads = log => (log || []).filter(l => l.k === "head").map(l => [].concat(l.t).map(x => x.t || x).join(""));
		return [...heads(this.kept.get(0).log).slice(-1).map(x => [0, x]), ...this.steps.flatMap((s, i) => heads(s.log).slice(-1).map(x => [i + 1, x]))];
	}
}
