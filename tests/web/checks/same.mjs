// Whether two modules say the same: their syntax trees, without places, are equal; `const` may be sent as `let`, and
// `undefined`, `true` and `false` as what is worth the same, declarations that follow each other as one, a single statement
// of a condition or a loop without its braces, `Boolean(x)` as `!!x`, and what begins as undefined without a value. Constants of the module's own
// may have other names, each one of its own: they are told apart by the order in which they come.
// Paths in pairs; prints those that differ.
import { parse } from "acorn";
import { readFileSync } from "node:fs";

const PLACES = new Set(["start", "end", "raw"]);

const PLAIN = {
	"void 0": { type: "Identifier", name: "undefined" },
	"!0": { type: "Literal", value: true },
	"!1": { type: "Literal", value: false },
};

/** A statement without braces of its own. */
const alone = node => (node?.type === "BlockStatement" && node.body.length === 1 ? node.body[0] : node);

const isUnset = node => node?.type === "Identifier" && node.name === "undefined";

/** Whether something is there. */
const truth = asked => ({
	type: "CallExpression",
	callee: { type: "Identifier", name: "Boolean" },
	arguments: [asked],
	optional: false,
});

/** A node without what it need not say. */
function bare(node) {
	switch (node?.type) {
		case "IfStatement":
			return { ...node, consequent: alone(node.consequent), alternate: alone(node.alternate) };
		case "ForStatement":
		case "ForOfStatement":
		case "ForInStatement":
		case "WhileStatement":
			return { ...node, body: alone(node.body) };
		case "UnaryExpression":
			return node.operator === "!" && node.argument.operator === "!" ? truth(node.argument.argument) : node;
		case "PropertyDefinition":
			return { ...node, value: isUnset(asWritten(node.value)) ? null : node.value };
		case "VariableDeclarator":
			return { ...node, init: isUnset(asWritten(node.init)) ? null : node.init };
		default:
			return node;
	}
}

/** A node as the source has it. */
const asWritten = node =>
	(node?.type === "UnaryExpression" && PLAIN[`${node.operator}${/\w$/.test(node.operator) ? " " : ""}${node.argument.raw}`]) ||
	bare(node);

/** Each declaration by itself. */
const apart = nodes =>
	nodes.flatMap(node =>
		node?.type === "VariableDeclaration"
			? node.declarations.map(declared => ({ ...node, declarations: [declared] }))
			: [node],
	);

const CONSTANT = /^[A-Z][A-Z\d_]*$/;

function tree(path) {
	const constants = new Map();
	const named = name => {
		constants.set(name, constants.get(name) ?? constants.size);
		return `constant ${constants.get(name)}`;
	};
	const parsed = parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
	return JSON.stringify(parsed, (key, value) => {
		if (PLACES.has(key)) {
			return undefined;
		}
		if (key === "kind" && value === "const") {
			return "let";
		}
		if (value?.type === "Identifier" && CONSTANT.test(value.name)) {
			return { type: "Identifier", name: named(value.name) };
		}
		return typeof value === "bigint" ? `${value}n` : Array.isArray(value) ? apart(value) : asWritten(value);
	});
}

const paths = process.argv.slice(2);
for (let i = 0; i < paths.length; i += 2) {
	if (tree(paths[i]) !== tree(paths[i + 1])) {
		console.log(paths[i]);
	}
}
