// One match, played or watched, through breaks of the connection: messages are verified, reported, and can be answered.
import { Check } from "./check.js";
import { Connection, fresh, HELLO, NO_ENTRY, socketAt } from "./connection.js";
import { Closed, Refused } from "./errors.js";
import { owed, sign, signAct, signChoice } from "./keys.js";
import { Told, withResolvers } from "./news.js";
import { OwnLines } from "./ownlines.js";
import { applyStep, Incoming } from "./patches.js";
import { siteOf } from "./links.js";
import { lineOf, resultOf } from "./lines.js";
import { actMessage } from "./seating.js";
import { Sayings } from "./sayings.js";
import { Broken } from "./verify.js";
/** Close codes after which it is useless to reconnect. */
const FOR_GOOD = {
    4001: "too many broken messages",
    4003: "too many refused attempts to enter",
    4010: "the seat no longer shares its view, or lets nobody direct; this token is void",
    4011: "the seat was given another token, on another of its devices",
};
const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export class Match {
    id;
    /** The server's first message; unset until `open` is done. */
    welcome;
    seats = [];
    presence = { t: "presence", seats: [], spectators: 0 };
    table = {};
    scene = null;
    result = null;
    connected = false;
    #url;
    #token;
    #options;
    #check;
    #connection;
    #sayings;
    #told = new Told();
    #entered = withResolvers();
    #incoming;
    #key;
    /** The key that the record names, until it names the key that was sent. */
    #former = "";
    /** The messages that the match awaited and that were sent on this connection. */
    #given = new Set();
    /** Decisions that are answered, or whose answer is on its way. */
    #answered = new Set();
    #own = new OwnLines();
    #offersTold = new Set();
    #askedLast = "";
    #clocks = {};
    #clocksAt = 0;
    #turn = Promise.resolve();
    #over = false;
    /** The table and the seats as the server states them; the lines prove which part of that is true. */
    #toldTable = {};
    #toldSeats = [];
    /** A direction that has arrived and has not been judged yet. */
    #pointed = null;
    /** The previous direction: when it was given, and its signed text. */
    #pointedAt = 0;
    #pointedSaid = "";
    /** Callers that wait for the lines that existed on entering. */
    #waiting = [];
    constructor(url, match, token, options) {
        this.id = match;
        this.#url = url;
        this.#token = token;
        this.#options = options;
        this.#key = options.key;
        this.#check = new Check(() => { }, since => this.#connection.send({ t: "need", since }), async () => ({ ...(await import("./games.js")).GAMES, ...options.games }));
        this.#incoming = new Incoming((...steps) => this.#show(steps), () => this.#connection.send({ t: "need", since: this.#check.seq }));
        const on = {
            message: (m) => this.#hear(m),
            state: (state, code, again) => this.#changed(state, code, again),
        };
        this.#connection = new Connection(() => [this.#hello()], on, socketAt(match, url), options.WebSocket);
        this.#sayings = new Sayings(m => this.connected && this.#connection.send(m));
    }
    /** Enters a match; done when the server has let the client in. Rejects with `Closed` if it does not. */
    static async open(url, match, token, options = {}) {
        const opened = new Match(url, match, token, options);
        await opened.#entered.promise;
        return opened;
    }
    // --- what is known ---
    get game() {
        return this.#check.verifier?.agreements.game || this.welcome.game;
    }
    get title() {
        return this.welcome.title;
    }
    get viewer() {
        return this.welcome.viewer;
    }
    /** One's own seat; null for a spectator. */
    get seat() {
        return this.viewer.as === "seat" ? (this.viewer.seat ?? null) : null;
    }
    /** The last line that is verified, and the chain's hash after it. */
    get head() {
        return { seq: this.#check.seq, hash: this.#check.head };
    }
    /** The last line under a valid signature of the server. */
    get signedTo() {
        return this.#check.signed;
    }
    /** The content and the proofs of the lines. */
    get verifier() {
        return this.#check.verifier;
    }
    get prompt() {
        return this.scene?.prompt ?? null;
    }
    /** The decisions of one's own seat that are open and unanswered. */
    get question() {
        const { prompt } = this;
        const { seat } = this;
        if (seat === null || prompt?.mode !== "you" || this.#answered.has(prompt.id)) {
            return null;
        }
        // the prompt is the server's word: a verified line proves that the seat is asked
        return this.verifier?.agreements.isAsked(Number(prompt.id), seat) ? prompt : null;
    }
    /** Whether the record names a key for one's own seat that this program lacks: it is stored elsewhere, or is somebody else's. */
    get isLockedOut() {
        return !["", this.#key?.public, this.#former].includes(this.#named);
    }
    /** The clocks' present readings, by seat. */
    get clocks() {
        const past = performance.now() - this.#clocksAt;
        const now = Object.entries(this.#clocks).map(([seat, clock]) => {
            const ms = clock.run ? Math.max(0, clock.ms - past) : clock.ms;
            return [seat, { ...clock, ms }];
        });
        return Object.fromEntries(now);
    }
    /** Iterate a match once: each piece of news goes to one reader. */
    [Symbol.asyncIterator]() {
        return this.#told;
    }
    // --- what is done ---
    /** Answers the question, or the prompt that is given. Rejects with `Refused`. */
    answer(answer, prompt = this.question) {
        if (!prompt) {
            return Promise.reject(new Closed(0, "The own seat is asked nothing now."));
        }
        return this.choose(Number(prompt.id), answer);
    }
    /** Answers a decision by its number. `id`: the id of an earlier attempt, in a program that was restarted. */
    async choose(decision, choice, id = fresh()) {
        const name = String(decision);
        this.#answered.add(name);
        try {
            await this.#current();
            const said = { t: "choose", id, decision, choice, ...this.#check.ack };
            const key = this.#signing;
            if (key && !this.verifier.agreements.wasAsked(decision)) {
                throw new Refused("stale-decision", "No line of the record that is here asks this decision.");
            }
            const signed = key && (await signChoice(key.text, this.verifier, this.seat ?? 0, said));
            return await this.#say({ ...said, ...(signed && { signed }) }, "accepted");
        }
        catch (wrong) {
            this.#answered.delete(name);
            this.#askedLast = "";
            this.#ask();
            throw wrong;
        }
    }
    resign() {
        return this.#act({ t: "resign" });
    }
    /** Offers the others something: `{is: "pause", length_ms}`, `{is: "draw"}`, `{is: "take_back"}` … */
    offer(terms) {
        return this.#act({ t: "offer", terms });
    }
    agree(number) {
        return this.#act({ t: "agree", number });
    }
    decline(number) {
        return this.#act({ t: "decline", number });
    }
    /** Claims the match, or a draw, because a seat has been away for too long. */
    claim(seat, draw = false) {
        return this.#act({ t: "claim", seat, draw });
    }
    vacation(days) {
        return this.#act({ t: "vacation", days });
    }
    /**
     * The search's choices for a decision (the open question, unless another number is given), if the match allows hints
     * (`table.hints`). The record states, for all to see, that the seat asked; a repeated request gets the same answer.
     */
    async hint(decision = Number(this.question?.id ?? 0)) {
        return this.#say(await this.#signed({ t: "hint", decision }), "hinted");
    }
    /** Signs with another key from now on; the former key signs the new one. */
    async rotate(key) {
        const said = actMessage(this.verifier.mid, { seat: this.seat ?? 0 }, ["key", key.public]);
        const former = this.#signing;
        const signature = former && (await sign(former.text, said));
        this.#key = key;
        this.#former = this.#named;
        this.#connection.send({ t: "key", key: key.public, ...(signature && { signature }) });
    }
    /**
     * States in the record that a person stands behind the key of one's own seat; gives the opening, which nobody else has.
     * `person`: the key of a device that signs in at this server; `Session.keepSeat` shows the opening to chosen viewers. Rejects
     * with `Refused`.
     */
    async claimSeat(person) {
        await this.#current();
        const key = this.#signing;
        if (!key) {
            throw new Refused("seat-refused", "A person stands behind a seat's key, and the seat has none that is here.");
        }
        const place = { seat: this.seat ?? 0, key: key.public };
        const { claimed } = await import("./claims.js");
        const { commitment, opening } = await claimed(person, siteOf(this.#url || location.href), this.id, place);
        const signature = await sign(key.text, actMessage(this.verifier.mid, place, ["person", commitment]));
        const { seq } = await this.#say({ t: "person", id: fresh(), commitment, signature }, "accepted");
        return { ...opening, line: seq };
    }
    /** The seat's signature by which the person of a device may enter it without its link: for `Session.keepSeat`. */
    async entry(device) {
        await this.#current();
        const said = ["entry", device];
        const key = this.#signing;
        return key ? sign(key.text, actMessage(this.verifier.mid, { seat: this.seat ?? 0 }, said)) : "";
    }
    /**
     * The persons behind the seats who show themselves to this client, each checked against the record; the handle is the
     * server's word. Rejects with `Broken` if the server shows somebody whose key has not signed.
     */
    async persons() {
        await this.#current();
        const { persons } = await this.#say({ t: "persons", id: fresh() }, "persons-told");
        const { personBehind } = await import("./claims.js");
        const checked = persons.map(async (one) => {
            const claim = await personBehind(this.id, this.verifier.persons, { match: this.id, ...one });
            return claim && { ...one, ...claim, person: one.key };
        });
        return (await Promise.all(checked)).filter(one => one !== null);
    }
    /**
     * Makes the server answer for one's own seat from now on, even without this program: each instruction is signed `times`
     * times, and each signature is used once. The instructions replace all stored answers; an empty list removes these. When one is
     * used, everybody is told that the seat answered ahead. All end with the next choice by hand, another key, and a takeback.
     */
    async keepAhead(said, times = 1) {
        await this.#current();
        const all = said.flatMap(one => Array.from({ length: times }, () => one));
        const { signAhead } = await import("./signahead.js");
        const message = await signAhead(this.#signing?.text, this.verifier, this.seat ?? 0, all);
        return (await this.#say(message, "ahead-told")).answers;
    }
    /** The answers that the server still keeps for one's own seat. */
    async keptAhead() {
        return (await this.#say({ t: "ahead", id: fresh() }, "ahead-told")).answers;
    }
    /** Says something in the chat of one's own room. */
    say(text) {
        return this.#connection.send({ t: "chat", text });
    }
    /** Mutes or unmutes somebody. */
    mute(who, on = true) {
        return this.#connection.send({ t: "mute", who, on });
    }
    /** A token for a caster, who sees the view of one's own seat; `directs`: a token for a director, who does not. */
    async grant(directs = false) {
        return (await this.#say({ t: "grant", id: fresh(), ...(directs && { directs }) }, "granted")).token;
    }
    /** As a director: chooses the view of the spectators who follow; without a view, nothing is directed. */
    direct(direction) {
        return this.#connection.send({ t: "direct", ...(direction && { direction }) });
    }
    /** As a director: adds a spoken text or a direction to a commentary. Rejects with `Refused`. */
    remark(said) {
        return this.#say({ t: "remark", id: fresh(), ...said }, "kept");
    }
    /** As a director: adds a part of the sound to a commentary, from a byte on. Rejects with `Refused`. */
    voice(track, at, data) {
        return this.#say({ t: "voice", id: fresh(), track, at, data }, "kept");
    }
    async revoke() {
        await this.#say({ t: "revoke", id: fresh() }, "revoked");
    }
    /** Lets the server report one's own moves to an address; gives the secret with which it signs. */
    async notify(url) {
        return (await this.#say({ t: "notify", id: fresh(), url }, "notified")).secret ?? "";
    }
    /** Tests at once whether the connection is alive. */
    ping() {
        this.#connection.ping();
    }
    /** Leaves; unanswered requests are rejected with `Closed`. */
    close() {
        this.#finish(null);
    }
    // --- what comes in ---
    #hello() {
        const { scenes = true, name, lang, openCards } = this.#options;
        const kind = openCards ? "open" : "spectator";
        const who = { ...(this.#token ? { token: this.#token } : {}), ...((openCards || !this.#token) && { as: kind }) };
        const since = this.#check.seq;
        const said = { ...(name && { name }), ...(lang && { lang }) };
        return { t: "hello", match: this.id, ...who, since, ...(scenes && { caps: ["scene"] }), ...said };
    }
    /** Handles one message after another, since verifying takes time. */
    #hear(m) {
        this.#turn = this.#turn.then(() => (this.#over ? undefined : this.#take(m))).catch(wrong => this.#finish(wrong));
    }
    /** Done when the lines that existed on entering are here and checked. */
    #current() {
        const isHere = this.#over || this.#check.seq >= (this.welcome?.head.seq ?? 0);
        return isHere
            ? Promise.resolve()
            : new Promise(go => {
                this.#waiting.push(go);
            });
    }
    #go() {
        if (this.#over || this.#check.seq >= (this.welcome?.head.seq ?? 0)) {
            for (const go of this.#waiting.splice(0)) {
                go();
            }
        }
    }
    /** Takes the table and the clocks that a message carries. */
    #passing(m) {
        if ("table" in m && m.table) {
            this.#toldTable = m.table;
        }
        if ("clocks" in m && m.clocks) {
            this.#clocks = m.clocks;
            this.#clocksAt = performance.now();
            this.#told.tell({ kind: "clocked", clocks: m.clocks });
        }
    }
    async #take(m) {
        this.#passing(m);
        if (m.t === "welcome") {
            await this.#welcomed(m);
        }
        else if (m.t === "events") {
            await this.#lines(m);
        }
        else if (m.t === "checkpoint") {
            await this.#check.claim(m);
        }
        else if (m.t === "directed") {
            await this.#point(m);
        }
        else {
            this.#rest(m);
        }
        this.#agree();
    }
    #rest(m) {
        if (m.t === "snapshot") {
            this.#incoming.snapshot(m);
        }
        else if (m.t === "seats") {
            this.#toldSeats = m.seats;
            this.#sit();
        }
        else if (m.t === "presence") {
            this.presence = m;
            this.#told.tell({ kind: "present", presence: m });
        }
        else if (m.t === "accepted") {
            this.#accept(m);
        }
        else if (m.t === "said") {
            this.#told.tell({ kind: "chatted", lines: m.lines });
        }
        else if (!this.#sayings.hear(m) && (m.t === "error" || m.t === "refused")) {
            this.#complained(m);
        }
    }
    /** Reports what a director points at, once line 1, which names the server's key, has arrived. */
    async #point(m = this.#pointed) {
        const { verifier } = this.#check;
        this.#pointed = m;
        if (!m || !verifier?.seq) {
            return;
        }
        this.#pointed = null;
        const { directedOf } = await import("./statements.js");
        const told = await directedOf(m, verifier, this.#pointedAt);
        if (told.proof !== "false") {
            if (m.said && m.said === this.#pointedSaid) {
                return;
            }
            this.#pointedAt = told.at;
            this.#pointedSaid = m.said ?? "";
        }
        this.#told.tell(told);
    }
    /** Believes an acceptance once its line has arrived and confirms it. Throws `Broken` if the line does not. */
    #accept(m) {
        const said = this.#sayings.open(m.id);
        if (said && m.seq > this.#check.seq) {
            this.#sayings.keep(m);
        }
        else if (said && !this.#own.answer(m.seq, said)) {
            throw new Broken(m.seq, `the server says that it is what came of ${m.id}, and it is not`);
        }
        else {
            this.#sayings.hear(m);
        }
    }
    #complained({ t, code, why, id = "" }) {
        // An answer to a hello that may soon change does not get here once the match was entered.
        if (t === "error" && (id === HELLO || NO_ENTRY.has(code))) {
            this.#finish(new Closed(code, why));
        }
        else {
            this.#told.tell({ kind: "complained", code, why, id });
        }
    }
    async #welcomed(m) {
        if (this.#options.openCards && m.viewer.as !== "open") {
            throw new Closed("not-admitted", "the server does not show all hands");
        }
        this.welcome = m;
        this.#toldSeats = m.seats;
        this.connected = true;
        this.#given.clear();
        await this.#check.welcome(m);
        this.seats = this.verifier.agreements.seats(m.seats);
        this.#toldTable = m.table ?? {};
        this.#told.tell({ kind: "entered", welcome: m });
        this.#entered.resolve();
        this.#sayings.again();
    }
    async #lines(m) {
        const before = this.#check.seq;
        await this.#check.events(m);
        if (this.#check.fault) {
            throw this.#check.fault;
        }
        const fresh = m.items.slice(Math.max(0, before + 1 - m.from), Math.max(0, this.#check.seq + 1 - m.from));
        const lines = fresh.map(([text, openings]) => lineOf(text, openings));
        if (lines.length) {
            this.#told.tell({ kind: "lines", lines });
        }
        this.#own.take(lines, this.seat);
        await this.#point();
        for (const accepted of this.#sayings.kept) {
            this.#accept(accepted);
        }
        this.#sit();
        this.#incoming.events(m);
        this.#ask();
        this.#go();
        await this.#give();
        this.#ends(lines);
    }
    #ends(lines) {
        const result = lines.map(resultOf).find(found => found);
        if (result) {
            this.result = result;
            this.#told.tell({ kind: "ended", result });
            if (!this.#options.stay) {
                this.#turn.then(() => this.#finish(null));
            }
        }
    }
    #show(steps) {
        const whole = steps.length === 1 && steps[0].scene !== undefined;
        const scene = steps.reduce((shown, step) => step.scene ?? (shown && applyStep(shown, step)), this.scene);
        if (scene) {
            this.scene = scene;
            this.#told.tell({ kind: "shown", scene, steps: whole ? [] : steps });
            this.#ask();
        }
    }
    #ask() {
        const { question } = this;
        if (question && question.id !== this.#askedLast) {
            this.#askedLast = question.id;
            this.#told.tell({ kind: "asked", prompt: question });
        }
    }
    /** Reports the holders of the seats, as the lines state them. */
    #sit() {
        const seats = this.verifier.agreements.seats(this.#toldSeats);
        if (!alike(seats, this.seats)) {
            this.seats = seats;
            this.#told.tell({ kind: "seated", seats });
        }
    }
    /** Reports agreements and offers as the lines state them, not as the frame does. */
    #agree() {
        const table = this.#check.verifier?.agreements.table(this.#toldTable);
        if (!table || alike(table, this.table)) {
            return;
        }
        this.table = table;
        this.#told.tell({ kind: "tabled", table });
        for (const offer of table.offers ?? []) {
            const open = this.seat !== null && offer.asked?.includes(this.seat) && !offer.agreed?.includes(this.seat);
            if (open && !this.#offersTold.has(offer.number)) {
                this.#offersTold.add(offer.number);
                this.#told.tell({ kind: "offered", offer });
            }
        }
    }
    #changed(state, code = 0, again = 0) {
        if (state === "open") {
            return;
        }
        this.connected = false;
        const { tries = Infinity } = this.#options;
        if (FOR_GOOD[code] || this.#connection.tries > tries) {
            this.#finish(new Closed(code, FOR_GOOD[code] ?? "the server does not answer"));
        }
        else {
            this.#told.tell({ kind: "lost", code, againS: again / 1000 });
        }
    }
    // --- one's own seat ---
    /** The key that the record names for one's own seat; "" for none. */
    get #named() {
        return (this.welcome && this.#check.verifier?.seated.get(this.seat ?? -1)?.key) ?? "";
    }
    /** The key, if the seat signs with it. */
    get #signing() {
        return this.#key && this.#named === this.#key.public ? this.#key : undefined;
    }
    /** Sends the messages that the match awaits from this seat before it begins. */
    async #give() {
        const { seat, verifier } = this;
        const key = this.#key;
        const { gives = true } = this.#options;
        if (this.#signing) {
            this.#former = "";
        }
        if (!key || !gives || seat === null) {
            return;
        }
        const share = (isBegun) => (isBegun ? "" : key.share(verifier.mid, seat));
        const held = { seat, own: key.text, key: () => key.public, share };
        const m = await owed(held, verifier, this.#given);
        if (m) {
            this.#connection.send(m);
        }
    }
    async #act(said) {
        return this.#say(await this.#signed(said), "accepted");
    }
    /** An act at the table under a fresh id, signed if the seat signs. */
    async #signed(said) {
        await this.#current();
        const act = { ...said, id: fresh() };
        return (await signAct(this.#signing?.text, this.verifier, this.seat ?? 0, act));
    }
    #say(m, kind) {
        return this.#over ? Promise.reject(new Closed(0, "The match is left.")) : this.#sayings.say(m, kind);
    }
    #finish(why) {
        if (this.#over) {
            return;
        }
        this.#over = true;
        this.connected = false;
        this.#go();
        this.#connection.stop();
        this.#sayings.end(why ?? new Closed(0, "The match is left."));
        this.#entered.reject(why ?? new Closed(0, "The match is left."));
        this.#told.end(why);
    }
}
