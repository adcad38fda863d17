// Encodes texts as QR codes: one JSON line each. usage: encode_qr.mjs TEXTS, a JSON array
import { encoded } from "../../server/web/js/qr.js";

for (const text of JSON.parse(process.argv[2])) {
	const { version, mask, rows } = encoded(text);
	console.log(JSON.stringify({ version, mask, rows: rows.map(row => row.map(Number)) }));
}
