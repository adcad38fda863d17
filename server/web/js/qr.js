// QR codes (ISO/IEC 18004): a text as bytes with error correction M, drawn here, so that no secret goes anywhere.
import { utf8 } from "../client/hashes.js";

/** For each version, from 1: the bytes of correction in a block, and the number of blocks (level M). */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const FORMAT_M = 0;
const QUIET = 4;
const WIDTH = 240;
const BYTE_MODE = 4;
const SVG = "http://www.w3.org/2000/svg";
/** Whether a mask inverts the module in a row and a column. @type {((y: number, x: number) => boolean)[]} */
const MASKS = [
	(y, x) => (y + x) % 2 === 0,
	y => y % 2 === 0,
	(_, x) => x % 3 === 0,
	(y, x) => (y + x) % 3 === 0,
	(y, x) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
	(y, x) => ((y * x) % 2) + ((y * x) % 3) === 0,
	(y, x) => (((y * x) % 2) + ((y * x) % 3)) % 2 === 0,
	(y, x) => (((y + x) % 2) + ((y * x) % 3)) % 2 === 0,
];

/** @typedef {{ size: number, dark: boolean[][], kept: boolean[][] }} Grid `kept`: what no data and no mask change */

const range = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);

/** A product in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. @param {number} x @param {number} y */
function times(x, y) {
	let z = 0;
	for (let i = 7; i >= 0; i--) {
		z = (z << 1) ^ ((z >>> 7) * 0x11d);
		z ^= ((y >>> i) & 1) * x;
	}
	return z;
}

/** The generator of this many bytes of correction. @param {number} degree */
function generator(degree) {
	const found = [...Array(degree - 1).fill(0), 1];
	let root = 1;
	for (let i = 0; i < degree; i++) {
		for (let j = 0; j < degree; j++) {
			found[j] = times(found[j], root) ^ (found[j + 1] ?? 0);
		}
		root = times(root, 2);
	}
	return found;
}

/** The bytes of correction behind a block. @param {number[]} data @param {number[]} divisor */
function remainder(data, divisor) {
	const left = divisor.map(() => 0);
	for (const byte of data) {
		const factor = byte ^ /** @type {number} */ (left.shift());
		left.push(0);
		divisor.forEach((each, i) => {
			left[i] ^= times(each, factor);
		});
	}
	return left;
}

/** Modules that hold data and correction, in a version. @param {number} version */
function modules(version) {
	const marks = Math.floor(version / 7) + 2;
	const plain = (16 * version + 128) * version + 64;
	const aligned = version > 1 ? (25 * marks - 10) * marks - 55 : 0;
	return plain - aligned - (version > 6 ? 36 : 0);
}

/** How many bytes a version has for mode, length and text. @param {number} version */
const room = version => Math.floor(modules(version) / 8) - CORRECTION[version - 1] * BLOCKS[version - 1];

/** Mode, length, text and filling as bytes. @param {Uint8Array} text @param {number} version */
function filled(text, version) {
	const length = version < 10 ? [text.length] : [text.length >>> 8, text.length & 255];
	const bytes = [...length, ...text, 0];
	const shifted = [BYTE_MODE, ...bytes].map((byte, i) => ((byte & 15) << 4) | ((bytes[i] ?? 0) >>> 4));
	const plain = shifted.slice(0, length.length + text.length + 1);
	return range(room(version)).map(i => plain[i] ?? ((i - plain.length) % 2 ? 0x11 : 0xec));
}

/** Blocks with their correction, a byte of each in turn. @param {number[]} data @param {number} version */
function interleaved(data, version) {
	const [count, degree] = [BLOCKS[version - 1], CORRECTION[version - 1]];
	const short = Math.floor(data.length / count);
	const long = data.length % count;
	const begin = (/** @type {number} */ i) => i * short + Math.max(0, i - (count - long));
	const blocks = range(count).map(i => data.slice(begin(i), begin(i + 1)));
	const divisor = generator(degree);
	const corrections = blocks.map(block => remainder(block, divisor));
	const turns = (/** @type {number[][]} */ rows, /** @type {number} */ n) =>
		range(n).flatMap(i => rows.filter(row => i < row.length).map(row => row[i]));
	return [...turns(blocks, short + 1), ...turns(corrections, degree)];
}

/** @param {Grid} grid @param {number} y @param {number} x @param {boolean} isDark */
function keep({ size, dark, kept }, y, x, isDark) {
	if (y >= 0 && x >= 0 && y < size && x < size) {
		dark[y][x] = isDark;
		kept[y][x] = true;
	}
}

/** Concentric squares around a middle. @param {Grid} grid @param {number} y @param {number} x @param {number} reach @param {number[]} light */
function squares(grid, y, x, reach, light) {
	for (let dy = -reach; dy <= reach; dy++) {
		for (let dx = -reach; dx <= reach; dx++) {
			keep(grid, y + dy, x + dx, !light.includes(Math.max(Math.abs(dy), Math.abs(dx))));
		}
	}
}

/** The middles of the alignment marks. @param {number} version */
function alignments(version) {
	if (version === 1) {
		return [];
	}
	const count = Math.floor(version / 7) + 2;
	const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
	return [
		6,
		...range(count - 1)
			.map(i => version * 4 + 10 - i * step)
			.reverse(),
	];
}

/** Bits followed by their remainder, as in format and version. @param {number} bits @param {number} by @param {number} degree */
function checked(bits, by, degree) {
	const left = range(degree).reduce(rest => (rest << 1) ^ ((rest >>> (degree - 1)) * by), bits);
	return (bits << degree) | left;
}

/** @param {Grid} grid @param {number} mask */
function format(grid, mask) {
	const bits = checked((FORMAT_M << 3) | mask, 0x537, 10) ^ 0x5412;
	const last = grid.size - 1;
	const first = [0, 1, 2, 3, 4, 5, 7, 8];
	for (const i of range(15)) {
		const dark = ((bits >>> i) & 1) === 1;
		const [y, x] = i < 8 ? [first[i], 8] : [8, i === 8 ? 7 : 14 - i];
		keep(grid, y, x, dark);
		keep(grid, i < 8 ? 8 : last - 14 + i, i < 8 ? last - i : 8, dark);
	}
	keep(grid, grid.size - 8, 8, true);
}

/** @param {Grid} grid @param {number} version */
function versioned(grid, version) {
	const bits = checked(version, 0x1f25, 12);
	for (const i of range(version < 7 ? 0 : 18)) {
		const [far, near] = [grid.size - 11 + (i % 3), Math.floor(i / 3)];
		const dark = ((bits >>> i) & 1) === 1;
		keep(grid, near, far, dark);
		keep(grid, far, near, dark);
	}
}

/** Puts the alignment marks down, except where they would cover the marks of the corners. @param {Grid} grid @param {number} version */
function aligned(grid, version) {
	const middles = alignments(version);
	const corners = ["6 6", `6 ${grid.size - 7}`, `${grid.size - 7} 6`];
	for (const y of middles) {
		for (const x of middles.filter(each => !corners.includes(`${y} ${each}`))) {
			squares(grid, y, x, 2, [1]);
		}
	}
}

/** The modules that do not depend on the text. @param {number} version @returns {Grid} */
function empty(version) {
	const size = version * 4 + 17;
	const rows = () => range(size).map(() => range(size).map(() => false));
	const grid = { size, dark: rows(), kept: rows() };
	for (const i of range(size)) {
		keep(grid, 6, i, i % 2 === 0);
		keep(grid, i, 6, i % 2 === 0);
	}
	for (const [y, x] of [
		[3, 3],
		[3, size - 4],
		[size - 4, 3],
	]) {
		squares(grid, y, x, 4, [2, 4]);
	}
	aligned(grid, version);
	format(grid, 0);
	versioned(grid, version);
	return grid;
}

/** Writes bytes in columns of two modules, alternately upwards and downwards, inverted where the mask says so. @param {Grid} grid @param {number[]} bytes @param {number} mask */
function put({ size, dark, kept }, bytes, mask) {
	let at = 0;
	for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
		const up = ((right + 1) & 2) === 0;
		for (const step of range(size)) {
			const y = up ? size - 1 - step : step;
			for (const x of [right, right - 1].filter(each => !kept[y][each])) {
				const bit = ((bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1;
				dark[y][x] = (bit === 1) !== MASKS[mask](y, x);
				at++;
			}
		}
	}
}

/** The penalty of a row: for long runs, and for patterns that look like the mark of a corner. @param {boolean[]} row */
function rowPenalty(row) {
	const text = row.map(Number).join("");
	const runs = text.match(/0{5}0*|1{5}1*/g) ?? [];
	const alike = ["00001011101", "10111010000"].reduce((sum, mark) => {
		return sum + range(text.length).filter(i => text.startsWith(mark, i)).length;
	}, 0);
	return runs.reduce((sum, run) => sum + run.length - 2, 0) + alike * 40;
}

/** @param {Grid} grid */
function penalty({ size, dark }) {
	const columns = range(size).map(x => dark.map(row => row[x]));
	const lines = [...dark, ...columns].reduce((sum, row) => sum + rowPenalty(row), 0);
	const squared = range(size - 1).flatMap(y =>
		range(size - 1).filter(x => [dark[y][x + 1], dark[y + 1][x], dark[y + 1][x + 1]].every(at => at === dark[y][x])),
	);
	const share = dark.flat().filter(Boolean).length / size ** 2;
	return lines + 3 * squared.length + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}

/**
 * A text as a QR code: its version, its mask and its modules, dark where true. Throws `RangeError` for a longer text.
 * @param {string} text
 */
export function encoded(text) {
	const bytes = utf8(text);
	const version = range(BLOCKS.length).find(i => bytes.length + (i < 9 ? 2 : 3) <= room(i + 1));
	if (version === undefined) {
		throw new RangeError("too long for a QR code");
	}
	const data = interleaved(filled(bytes, version + 1), version + 1);
	const tried = MASKS.map((_, mask) => {
		const grid = empty(version + 1);
		put(grid, data, mask);
		format(grid, mask);
		return { mask, version: version + 1, rows: grid.dark, penalty: penalty(grid) };
	});
	return tried.reduce((best, one) => (one.penalty < best.penalty ? one : best));
}

/** A text as a picture of a QR code, dark on light whatever the theme. @param {string} text @param {string} label */
export function drawn(text, label) {
	const { rows } = encoded(text);
	const size = rows.length + 2 * QUIET;
	const at = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])));
	const [picture, light, dark] = ["svg", "path", "path"].map(name => document.createElementNS(SVG, name));
	for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label })) {
		picture.setAttribute(name, value);
	}
	picture.setAttribute("width", String(WIDTH));
	light.setAttribute("d", `M0 0h${size}v${size}h-${size}z`);
	light.setAttribute("fill", "#fff");
	dark.setAttribute("d", at.join(""));
	dark.setAttribute("fill", "#000");
	picture.append(light, dark);
	return picture;
}
