// Checks a message of open cards with the library's verifier: prints how many hands it has checked, or what is wrong.
import { readFileSync } from "node:fs";
import { Verifier } from "../../server/web/client/verify.js";

const { match, items, salts } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const verifier = new Verifier({ match, seesHands: true });
try {
	items.forEach(([line, openings], i) =>
		verifier.take(
			line,
			openings.map(([slot, value], at) => [slot, value, salts[i][at]]),
		),
	);
	console.log(verifier.openings);
} catch (wrong) {
	console.log(wrong.message);
}
