import assert from "node:assert/strict";
import { test } from "node:test";
import { fault, first, some } from "@herald/client";

const named = (...ids) => ids.map(id => ({ id, label: id }));
const one = {
	id: "choice",
	type: "one",
	options: [
		{ id: "0", label: "shut", off: "too dear" },
		{ id: "1", label: "open" },
		{ id: "own", label: "from a file", file: { do: "Bring", as: "army" } },
	],
};
const many = { id: "choice", type: "many", items: named("a", "b", "c"), min: 1, max: 2 };
const toSlots = {
	id: "choice",
	type: "assign",
	fill: "slots",
	items: named("x:0", "x:1", "y:0"),
	slots: named("s", "t"),
};
const formation = {
	id: "choice",
	type: "assign",
	fill: "items",
	items: named("p", "q", "r"),
	slots: named("1", "2", "3"),
	legal: { p: ["1", "2"], q: ["1"], r: ["2", "3"] },
};

/** The same numbers in every run. */
function lot(seed) {
	let state = seed + 1;
	return bound => {
		state = (state * 48271) % 2147483647;
		return state % bound;
	};
}

test("the first answer is the first that is legal, or what the prompt proposes", () => {
	assert.equal(first(one), "1");
	assert.deepEqual(first(many), ["a"]);
	assert.deepEqual(first(toSlots), { "x:0": "s", "x:1": "t" });
	assert.deepEqual(first({ ...formation, draft: { p: "2" } }), { p: "2" });
});

test("an answer by lot fits, for every form and lot", () => {
	for (const field of [one, many, toSlots, formation]) {
		for (let seed = 0; seed < 200; seed++) {
			const answer = some(field, lot(seed));
			assert.equal(fault(field, answer), "", JSON.stringify(answer));
		}
	}
});

test("each piece of a formation finds its place where there is one", () => {
	assert.deepEqual(first(formation), { p: "2", q: "1", r: "3" });
});

test("what does not fit is told before it is sent, and what just fits is not", () => {
	for (const [field, wrong, right] of [
		[one, "0", "1"],
		[one, "7", 1],
		[one, { do: "Else", army: {} }, { do: "Bring", army: {} }],
		[many, [], ["a"]],
		[many, ["a", "b", "c"], ["b", "c"]],
		[many, ["a", "a"], ["c"]],
		[many, ["z"], ["a"]],
		[toSlots, { "x:0": "s" }, { "x:0": "s", "y:0": "t" }],
		[toSlots, { "x:0": "s", "y:0": "s" }, { "x:0": "t", "y:0": "s" }],
		[formation, { p: "3", q: "1", r: "2" }, { p: "2", q: "1", r: "3" }],
	]) {
		assert.notEqual(fault(field, wrong), "", JSON.stringify(wrong));
		assert.equal(fault(field, right), "", JSON.stringify(right));
	}
});
