// The page's own types. Those of messages and Scenes are the client library's, made from the server's structs.

type Scene = import("../client/wire.js").Scene;
type Answer = import("../client/wire.js").Answer;
type Draft = import("../client/wire.js").Draft;
type Point = import("../client/wire.js").Point;
type Tip = import("../client/wire.js").Tip;
type Area = import("../client/wire.js").Area;
type Sign = import("../client/wire.js").Sign;
type Meter = import("../client/wire.js").Meter;
type Step = import("../client/wire.js").Step;

/** A line of the chronicle and the step that tells it. */
interface Told {
	line: Words.Line;
	at: number;
}
interface Track {
	scene: Scene;
	steps: Step[];
}
/** The part of a record that a bundle holds, as `welcome` and `events` would bring it. */
interface HeldRecord extends Wire.Events {
	match: string;
	keys: Record<string, string>;
}
interface Bundle {
	game: string;
	title: string;
	/** Id and label of each viewpoint. */
	views: [string, string][];
	glyphs: string[];
	marks: [number, string][];
	tracks: Record<string, Track>;
	/** By language and viewpoint, the merge patches that translate the first Scene and each step. */
	said?: Record<string, Record<string, { scene: object; steps: Record<number, object> }>>;
	record?: HeldRecord;
}

interface Rect {
	x: number;
	y: number;
	w: number;
	h: number;
}
interface PlacedPiece extends Rect {
	z: number;
	rot: number;
}
/** An area, or an edge with its line, in the map's own units as it lies on the table. */
interface PlacedArea {
	poly: Point[];
	outer: Point[];
	c: Point;
	tag: Point;
	signs: Sign[];
	a: Area;
	edge?: Words.Edge;
	line?: Point[];
}
/** The visible middle of a map, in its own units, and how many times larger than whole it is drawn. */
interface Camera {
	x: number;
	y: number;
	z: number;
}
/** A camera's view of a map: `k` board units of a map unit; the middle; the part in map units. */
interface MapView {
	g: Words.Geom;
	inner: Rect;
	turn: number | undefined;
	whole: Rect;
	k: number;
	z: number;
	cx: number;
	cy: number;
	seen: Rect;
}
/** The place of everything, in board units. */
interface Arrangement {
	size: number[];
	zones: Map<string, Rect>;
	slots: Map<string, Rect>;
	pieces: Map<string, PlacedPiece>;
	areas: Map<string, PlacedArea>;
	maps?: Map<string, MapView>;
}
type PieceEntry = [string, Words.Piece];
type PutPiece = (id: string, box: Rect, z?: number, rot?: number) => unknown;
/** Lays a zone's pieces into the rectangle inside it. */
interface Lay {
	zid: string;
	g: Words.Geom;
	inner: Rect;
	mine: PieceEntry[];
	out: Arrangement;
	put: PutPiece;
	/** Whether the map is turned by a quarter. */
	turn?: number;
}

/** The refs that can be chosen, are chosen, are pointed at; `why`: the purpose for which a ref may be chosen. */
interface RefSets {
	can?: Set<string>;
	sel?: Set<string>;
	hint?: Set<string>;
	adv?: Set<string>;
	why?: Map<string, string>;
}
interface Arrow {
	from: string;
	to: string;
}
/** An item of an assignment and the slot that it would lie on. */
interface Drafted {
	piece?: Words.Item;
	slot?: string;
	dock?: string;
}
/** An option, an item or a slot: whatever has a row in the prompt. */
type Choosable = Words.Option | Words.Item;

interface BoardEvents {
	hover(ref: string | null | undefined): void;
	focus(ref: string): void;
	read(ref: string): void;
	pick(ref: string | null, finger?: boolean): boolean | void;
	resized(): void;
}
interface PromptEvents {
	mark(sets: RefSets, hot?: Choosable | string | null): void;
	answer(decision: string, choice: Answer): void;
	draft(list: Drafted[]): void;
	extra(prompt: Words.Prompt): Kid;
}

/** A seat that this browser holds, or the link of one that it gave away. */
interface HeldMatch {
	match: string;
	seat: number;
	token: string;
	game: string;
	title: string;
	at: number;
	key?: string;
	/** The public key. */
	open?: string;
	friend?: boolean;
	/** The name under which its person sits down. */
	called?: string;
	/** The unused invitation to a seat to which this browser invites. */
	invitation?: string;
	/** The invitation that was exchanged for this seat. */
	invited?: string;
	/** The exchange was requested and is not answered yet. */
	pending?: boolean;
	/** The token that opened the seat until this browser closed it on other devices. */
	former?: string;
	/** The seat came by its link, and is therefore not added to an account automatically. */
	lent?: boolean;
	/** The seat was entered by the account alone: a new key must replace the one that the record names. */
	rekey?: boolean;
	/** The token, key and account with which the seat was noted. */
	noted?: string;
	/** The opening of the claim to the seat; its line is 0 until the record has the claim. */
	claim?: { commitment: string; salt: string; signature: string; line: number; seatKey: string; shown?: string };
	/** The viewers in this match who may know the person in the seat; by default, the account's choice. */
	shows?: string;
	/** Whether the record has named this browser's key for it. */
	named?: boolean;
}
interface Prefs {
	theme: string;
	speed: number;
	still: boolean;
	keys: boolean;
	text: boolean;
	name: string;
	auto: boolean;
	hints: boolean;
	full: boolean;
	sound: boolean;
	notify: boolean;
	/** Whether this browser has explained what a rated match means. */
	rated: boolean;
}
interface Drawings {
	icons: Record<string, string>;
	terrain: Record<string, [number, string]>;
	keys: [string, string][];
	shield: string;
	hatches: string[];
	tokens: string[];
}
type GlyphSheet = Record<string, string | string[]>;

/** The possible content of an element; absent and false values are left out. */
type Kid = Node | string | number | false | null | undefined | Kid[];
interface Attrs {
	[name: string]:
		| string
		| number
		| boolean
		| null
		| undefined
		| Record<string, string | number>
		/** The event of each handler has its own type. */
		| ((event: any) => unknown);
}
interface KeyedItem {
	id: string;
	key?: string;
}

/** The client's notes about an element, which show whether it has to be drawn again. */
interface Element {
	_nodes?: Map<string, HTMLElement>;
	_leave?: () => void;
	_sig?: string;
	_stats?: Map<string, string>;
	_said?: HTMLElement;
	_new?: boolean;
	_name?: string;
	_box?: string;
	_cut?: string;
	_lines?: number;
	_of?: Told[];
}
interface Window {
	metrics: { apply: number[] };
	herald: object;
}

/** A game's statements about armies: see projections/armies.py. */
declare namespace Builder {
	type Way = (string | number)[];
	interface Card {
		id: string;
		name: string;
		group: string;
		kind: string;
		end: string;
		does: string[];
		tall?: boolean;
	}
	interface Field {
		label: string;
		at: string;
		way: Way;
		kind: "one" | "many" | "places";
		cards: string[];
		sets?: string[];
		rows?: string[][];
		lead?: Way;
		lead_at?: Way;
	}
	interface Section {
		label: string;
		fields: Field[];
	}
	interface Form {
		sections: Section[];
		cards: Card[];
		groups: Record<string, string>;
		ready: Record<string, any>[];
		empty: Record<string, any>;
		english?: string[];
	}
	interface Fault {
		at: string;
		said: string;
		rule?: string;
		advice?: boolean;
	}
	interface Finding {
		cost: number;
		most: number;
		unit: string;
		faults: Fault[];
		legal: boolean;
		english?: string[];
	}
}
