// Whether two modules say the same: their syntax trees, without places, are equal; `const` may be sent as `let`, and
// `undefined`, `true` and `false` as what is worth the same, and declarations that follow each other as one.
// Paths in pairs; prints those that differ.
import { parse } from "acorn";
import { readFileSync } from "node:fs";

const PLACES = new Set(["start", "end", "raw"]);

const PLAIN = {
	"void 0": { type: "Identifier", name: "undefined" },
	"!0": { type: "Literal", value: true },
	"!1": { type: "Literal", value: false },
};

/** A node as the source has it. */
const asWritten = node =>
	(node?.type === "UnaryExpression" && PLAIN[`${node.operator}${/\w$/.test(node.operator) ? " " : ""}${node.argument.raw}`]) ||
	node;

/** Each declaration by itself. */
const apart = nodes =>
	nodes.flatMap(node =>
		node?.type === "VariableDeclaration"
			? node.declarations.map(declared => ({ ...node, declarations: [declared] }))
			: [node],
	);

function tree(path) {
	const parsed = parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
	return JSON.stringify(parsed, (key, value) => {
		if (PLACES.has(key)) {
			return undefined;
		}
		if (key === "kind" && value === "const") {
			return "let";
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
