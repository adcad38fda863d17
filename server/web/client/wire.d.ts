export type Scene = Words.SceneWords;
export type Answer = string | string[] | Record<string, unknown>;
/** A viewer's choice so far in a field: an option, items, item to slot, an amount. */
export type Draft = unknown;
export type Point = number[];
export type Tip = (string | string[])[];
/** A place of a map; lengths in the map's own units. */
export interface Area {
    label: string;
    c: Point;
    aria?: string;
    short?: string;
    sub?: string;
    terrain?: string;
    tag?: string;
    glyph?: string;
    tip?: Tip;
    /** The place of label and marks, if not the centre. */
    at?: Point;
    /** Width and height that tokens have. */
    room?: Point;
    poly?: Point[];
    outer?: Point[];
    /** The glyph's size. */
    gs?: number;
    /** Pictures beside the tokens. */
    signs?: Sign[];
    /** The place of the tag, if not the centre. */
    tagAt?: Point;
    terms?: string[];
    /** The outline is not turned with the map. */
    upright?: boolean;
}
/** A picture in an area. */
export interface Sign {
    g: string;
    at: Point;
}
/** A number of a panel, a mark of a track. */
export interface Meter {
    label: string;
    v: number | string;
    max?: number;
    g?: string;
    tone?: string;
    fill?: boolean;
}
/** A change of a Scene: a merge patch, lines and cues; or a whole Scene. */
export interface Step {
    seq: number;
    set?: object;
    log?: Words.Line[];
    cues?: Words.Cue[];
    scene?: Scene;
}
export declare namespace Wire {
    /** Enter a match with a seat's, a caster's or a director's token, or as a spectator; within five seconds of connecting. */
    interface Hello {
        t: "hello";
        match: string;
        token?: string;
        as?: "" | "open" | "spectator";
        since?: number;
        caps?: string[];
        name?: string;
        lang?: string;
        key?: string;
        device?: string;
        id?: string;
    }
    /** Answer a decision. */
    interface Choose {
        t: "choose";
        id: string;
        decision: number;
        choice: Answer;
        ack_seq?: number;
        ack_head?: string;
        signed?: ChoiceSignature;
    }
    /** A choice as its seat signs it (docs/record.md 5): the answer as JSON, the salt of the client's commitment to the answer, and the Ed25519 signature over the commitment. */
    interface ChoiceSignature {
        text: string;
        signature: string;
        salt?: string;
    }
    /** Reveal the seat's share of chance, 32 bytes, once every seat's `EntropyCommitted` has been seen, or once `table.reveal` names the client's seat. */
    interface Reveal {
        t: "reveal";
        entropy: string;
        id?: string;
    }
    /** Fix the seat's share of chance: send the commitment to 32 bytes, signed if the seat has a key (docs/record.md 4). */
    interface Share {
        t: "share";
        entropy: string;
        signature?: string;
        id?: string;
    }
    /** Sign with another key from now on: an Ed25519 public key, signed with the former one. */
    interface SetKey {
        t: "key";
        key: string;
        signature?: string;
        id?: string;
    }
    /** Give up the match. */
    interface Resign {
        t: "resign";
        id: string;
        ack_seq?: number;
        ack_head?: string;
        signature?: string;
    }
    /** Offer something to the other players. */
    interface Offer {
        t: "offer";
        id: string;
        terms: Pause | GoOn | Draw | Abandon | Replace | TakeBack;
        ack_seq?: number;
        ack_head?: string;
        signature?: string;
    }
    /** Nobody chooses and no clock runs for `length_ms`. */
    interface Pause {
        is: "pause";
        length_ms: number;
    }
    /** The pause ends early. */
    interface GoOn {
        is: "go_on";
    }
    /** The match ends without a winner. */
    interface Draw {
        is: "draw";
    }
    /** The match ends and counts for nothing. */
    interface Abandon {
        is: "abandon";
    }
    /** A bot plays `seat` from now on. */
    interface Replace {
        is: "replace";
        seat: number;
        bot?: string;
        absent_ms?: number;
    }
    /** The match goes back to its position after line `line`; 0 means before the seat's own last choice. */
    interface TakeBack {
        is: "take_back";
        line?: number;
    }
    /** Agree to the offer with this number. */
    interface Agree {
        t: "agree";
        id: string;
        number: number;
        terms?: Pause | GoOn | Draw | Abandon | Replace | TakeBack;
        ack_seq?: number;
        ack_head?: string;
        signature?: string;
    }
    /** Decline the offer with this number, or withdraw it if it is the seat's own; `terms` is as in `agree`. */
    interface Decline {
        t: "decline";
        id: string;
        number: number;
        terms?: Pause | GoOn | Draw | Abandon | Replace | TakeBack;
        ack_seq?: number;
        ack_head?: string;
        signature?: string;
    }
    /** Claim the match, a draw, or (with more than two sides) that a seat is out. */
    interface Claim {
        t: "claim";
        id: string;
        seat: number;
        draw?: boolean;
        ack_seq?: number;
        ack_head?: string;
        signature?: string;
    }
    /** In slow play, be away for this many days, during which the seat's clock does not run; 0: the player is back. */
    interface Vacation {
        t: "vacation";
        id: string;
        days: number;
        ack_seq?: number;
        ack_head?: string;
        signature?: string;
    }
    /** Ask for the search's choice in this decision, which the sender's seat is asked. */
    interface Hint {
        t: "hint";
        id: string;
        decision: number;
        early?: boolean;
        ack_seq?: number;
        ack_head?: string;
        signature?: string;
    }
    /** For the holder of a seat: send an HTTPS POST to `url` when it is the seat's move; "": stop (docs/hosting.md). */
    interface Notify {
        t: "notify";
        url: string;
        id?: string;
    }
    /** Ask which of the client's matches wait for the client's move. */
    interface ListTurns {
        t: "turns";
        seats: HeldSeat[];
        id?: string;
    }
    /** A seat by its match and token. */
    interface HeldSeat {
        match: string;
        token: string;
    }
    /** Send the lines after `since` and the Scene again, because the client saw a gap. */
    interface Need {
        t: "need";
        since: number;
        id?: string;
    }
    /** Ask for the consequences of this choice by this seat. */
    interface Foresee {
        t: "foresee";
        id: string;
        decision: number;
        choice: unknown;
    }
    /** Ask how each side's chance to win changed in a finished match, and for its turning points and better choices. */
    interface Judge {
        t: "judge";
        id: string;
        line?: number;
        kept?: boolean;
    }
    /** Stop the search for the hint that `id` asked for, unless another connection of the seat waits for it. */
    interface StopHint {
        t: "stop_hint";
        id: string;
        decision: number;
    }
    /** Take a lesson: ask for its state after these choices. */
    interface Study {
        t: "study";
        id: string;
        game: string;
        lesson: string;
        choices?: Answer[];
        since?: number;
        lang?: string;
    }
    /** Ask for the consequences of a choice in a lesson, as `foresee` does in a match; answered by `foreseen`, or `error`. */
    interface Consider {
        t: "consider";
        id: string;
        game: string;
        lesson: string;
        choice: unknown;
        choices?: unknown[];
        lang?: string;
    }
    /** Let somebody watch the seat's view without choosing; answered by `granted` with a caster's token. */
    interface Grant {
        t: "grant";
        directs?: boolean;
        id?: string;
    }
    /** Revoke every caster's and director's token of the seat; connections that use these tokens are closed with 4010. */
    interface Revoke {
        t: "revoke";
        id?: string;
    }
    /** Say something in the sender's chat room: seats talk to seats, spectators to spectators. */
    interface Chat {
        t: "chat";
        text: string;
        id?: string;
    }
    /** Until this connection ends, mute somebody (`who` as chat lines name it, or `*` for all), or hear them again. */
    interface Mute {
        t: "mute";
        who: string;
        on?: boolean;
        id?: string;
    }
    /** Choose what the spectators who follow see; for a spectator who entered with a director's token (`grant`). */
    interface Direct {
        t: "direct";
        direction?: Direction;
        id?: string;
    }
    /** The view that a director chooses: the table after `line`, 0 for the latest line; with `until`, the replay from `line` up to that line, and then the latest line again. */
    interface Direction {
        line?: number;
        until?: number;
        eyes?: number;
        inset?: Inset;
        marks?: Mark[];
        note?: string;
    }
    /** A picture in the picture: the table after a line (0: the latest), as the viewer or as a seat sees it. */
    interface Inset {
        line?: number;
        eyes?: number;
    }
    /** A ring around a place of the Scene, or an arrow from it `to` another one. */
    interface Mark {
        at: string;
        to?: string;
    }
    /** Add a text, a direction, or just the `line` then in view to the commentary `track`, `ms` after its beginning. */
    interface Remark {
        t: "remark";
        track: string;
        ms: number;
        line: number;
        text?: string;
        direction?: Direction;
        id?: string;
    }
    /** Add to the sound of the commentary `track`, from byte `at` on: part of a WebM file, as base64url. */
    interface Voice {
        t: "voice";
        track: string;
        at: number;
        data: string;
        id?: string;
    }
    /** Answered by `pong` with the same number. */
    interface Ping {
        t: "ping";
        n?: number;
        id?: string;
    }
    /** Ask for the games that can be played. */
    interface ListGames {
        t: "games";
        lang?: string;
        id?: string;
    }
    /** Ask for the open, running and finished matches that are listed. */
    interface ListMatches {
        t: "matches";
        lang?: string;
        id?: string;
    }
    /** Create a match; answered by `created` with the tokens of the seats `me` and `friend`, and with the invitations. */
    interface Create {
        t: "create";
        game: string;
        seats: SeatWish[];
        options?: Record<string, unknown>;
        listed?: boolean;
        title?: string;
        reveal?: "auditor" | "public" | "seats";
        closed?: boolean;
        delay_events?: number;
        delay_s?: number;
        time?: TimeControl;
        shares?: boolean;
        scenario?: string;
        case?: string;
        hints?: boolean;
        rated?: boolean;
        open_cards?: OpenCards;
        open_cards_sooner?: boolean;
        id?: string;
    }
    /** The holder of a seat in a new match: the creator, an invited person, anybody who joins, or a bot of a kind. */
    interface SeatWish {
        kind: "bot" | "friend" | "invited" | "me" | "open";
        name?: string;
        bot?: string;
        key?: string;
        entropy?: string;
    }
    /** How the time of a match is measured, all in ms. */
    interface TimeControl {
        kind?: "bank" | "days" | "decision" | "none";
        limit_ms?: number;
        increment_ms?: number;
        on_timeout?: "default" | "forfeit" | "random";
        vacation_ms?: number;
        absence_ms?: number;
        taken_back?: "all" | "increment" | "returned";
    }
    /** Spectators who ask for it see every seat's hand, as it was `s` seconds and `events` lines ago, and, with `phase`, before the phase under way began; the latest of the three counts. */
    interface OpenCards {
        s: number;
        events: number;
        phase?: boolean;
    }
    /** Begin a new match from another match's state after line `seq`, or at the last pause before it (docs/replay.md). */
    interface Branch {
        t: "branch";
        match: string;
        seq: number;
        seats: SeatWish[];
        token?: string;
        eyes?: string;
        listed?: boolean;
        title?: string;
        shares?: boolean;
        hints?: boolean;
        id?: string;
    }
    /** Take an open seat, or the seat of an `invitation`; answered by `joined` with its token. */
    interface Join {
        t: "join";
        match: string;
        seat?: number;
        name?: string;
        key?: string;
        entropy?: string;
        invitation?: string;
        token?: string;
        id?: string;
    }
    /** Ask for an invitation's content; answered by `invited`. */
    interface ReadInvitation {
        t: "invitation";
        match: string;
        invitation: string;
        id?: string;
    }
    /** Make an invitation void; answered by `withdrawn` with the new one. */
    interface Withdraw {
        t: "withdraw";
        match: string;
        invitation: string;
        next: string;
        id?: string;
    }
    /** For the holder of a seat: `token` opens the seat from now on, and the earlier token does not. */
    interface Renew {
        t: "renew";
        token: string;
        signature?: string;
        id?: string;
    }
    /** This seat would like to play the ended match again, with sides changed; `on` false: it no longer would. */
    interface Again {
        t: "again";
        on?: boolean;
        id?: string;
    }
    /** Ask for the challenge that a device signs; answered by `challenged`. */
    interface AskChallenge {
        t: "challenge";
        id?: string;
    }
    /** A new person with a handle and a first device; answered by `signed-in`, with a recovery code. */
    interface SignUp {
        t: "sign-up";
        key: string;
        signature: string;
        handle: string;
        name?: string;
        id?: string;
    }
    /** Begin a session of a device; answered by `signed-in`. */
    interface SignIn {
        t: "sign-in";
        key: string;
        signature: string;
        id?: string;
    }
    /** Add a device by a recovery code; answered by `signed-in`, with a new recovery code. */
    interface Recover {
        t: "recover";
        key: string;
        signature: string;
        code: string;
        name?: string;
        id?: string;
    }
    /** Ask, as a new device, to be added by a code that another device shows; answered by `pairing`. */
    interface AskPairing {
        t: "ask-pairing";
        key: string;
        signature: string;
        code: string;
        name?: string;
        id?: string;
    }
    /** Add a device by a passkey, and begin its session; answered by `signed-in`. */
    interface PasskeyIn {
        t: "passkey-in";
        key: string;
        signature: string;
        credential: Record<string, unknown>;
        name?: string;
        id?: string;
    }
    /** Store a new passkey of the person's; answered by `account-told`. */
    interface AddPasskey {
        t: "add-passkey";
        session: string;
        credential: Record<string, unknown>;
        name?: string;
        id?: string;
    }
    /** Revoke one of the person's passkeys; answered by `account-told`. */
    interface DropPasskey {
        t: "drop-passkey";
        session: string;
        passkey: string;
        id?: string;
    }
    /** Ask for the person's account; answered by `account-told`. */
    interface ReadAccount {
        t: "account";
        session: string;
        id?: string;
    }
    /** End this session; answered by `done`. */
    interface SignOut {
        t: "sign-out";
        session: string;
        id?: string;
    }
    /** Change the person's handle; answered by `account-told`. */
    interface Rename {
        t: "rename";
        session: string;
        handle: string;
        id?: string;
    }
    /** Revoke one of the person's devices; answered by `account-told`. */
    interface RevokeDevice {
        t: "revoke-device";
        session: string;
        key: string;
        id?: string;
    }
    /** Let one new device ask, within ten minutes, to be added to the account; answered by `pairing-offered`. */
    interface OfferPairing {
        t: "offer-pairing";
        session: string;
        id?: string;
    }
    /** Add the device that has asked, once both devices show the same number; answered by `account-told`. */
    interface ConfirmPairing {
        t: "confirm-pairing";
        session: string;
        key: string;
        signature?: string;
        id?: string;
    }
    /** Draw a new recovery code; the earlier one becomes void. */
    interface RenewCode {
        t: "renew-code";
        session: string;
        id?: string;
    }
    /** Note a seat, by its token, among the person's matches, or remove the note; answered by `done`. */
    interface KeepSeat {
        t: "keep-seat";
        session: string;
        match: string;
        token: string;
        on?: boolean;
        claim?: ClaimOpening;
        signature?: string;
        id?: string;
    }
    /** The opening of the line `line`, which committed to the signed-in person's device: the salt and the device's signature. */
    interface ClaimOpening {
        line: number;
        salt: string;
        signature: string;
        shown?: "everybody" | "nobody" | "opponents";
    }
    /** Enter one of the person's seats on this device without its link; answered by `seat-entered`. */
    interface EnterSeat {
        t: "enter-seat";
        session: string;
        match: string;
        token: string;
        id?: string;
    }
    /** Ask for the person's matches; answered by `my-matches-told`. */
    interface ListMine {
        t: "my-matches";
        session: string;
        group?: "" | "finished" | "open" | "waiting" | "yours";
        text?: string;
        after?: number;
        id?: string;
    }
    /** Draw a link to a calendar of the person's deadlines, replacing the earlier link, or withdraw the link; answered by `calendar-told`. */
    interface CalendarLink {
        t: "calendar-link";
        session: string;
        on?: boolean;
        id?: string;
    }
    /** Ask for all data that the server stores about the person; answered by `exported`. */
    interface ExportMe {
        t: "export-me";
        session: string;
        id?: string;
    }
    /** Delete the person's account permanently. */
    interface DeleteMe {
        t: "delete-me";
        session: string;
        handle: string;
        id?: string;
    }
    /** Block or mute somebody from now on, or end both; answered by `safety-told`. */
    interface Shun {
        t: "shun";
        session: string;
        kind?: "" | "block" | "mute";
        handle?: string;
        match?: string;
        seat?: number;
        of?: string;
        id?: string;
    }
    /** Ask for the persons whom the sender blocks or mutes, and the staff's acts about the sender; answered by `safety-told`. */
    interface ReadSafety {
        t: "safety";
        session: string;
        id?: string;
    }
    /** For the staff: the reports that wait, or those that are settled; answered by `reports-told`. */
    interface ReadReports {
        t: "reports";
        session: string;
        settled?: boolean;
        after?: number;
        id?: string;
    }
    /** For the staff: settle a report, or act against a person; answered by `moderated`. */
    interface Moderate {
        t: "moderate";
        session: string;
        act: "ban" | "lift" | "mute" | "settle" | "suspend" | "warn";
        why: string;
        report?: string;
        handle?: string;
        days?: number;
        id?: string;
    }
    /** For the staff: entries of the log after a number; answered by `staff-log-told`. */
    interface ReadStaffLog {
        t: "staff-log";
        session: string;
        after?: number;
        id?: string;
    }
    /** Ask how the person is notified of a move; answered by `notices-told`. */
    interface ReadNotices {
        t: "notices";
        session: string;
        id?: string;
    }
    /** Set the times at which the person is not notified, replacing the former setting; answered by `notices-told`. */
    interface SetQuiet {
        t: "set-quiet";
        session: string;
        language?: string;
        zone?: string;
        begin?: number;
        end?: number;
        away_until?: number;
        pace?: "day" | "hour" | "move";
        id?: string;
    }
    /** Ask to be notified by mail; answered by `notices-told`. */
    interface NameMail {
        t: "name-mail";
        session: string;
        address: string;
        id?: string;
    }
    /** Ask to be notified by a browser that has subscribed with this server's `push_key`; answered by `notices-told`. */
    interface NamePush {
        t: "name-push";
        session: string;
        endpoint: string;
        p256dh: string;
        auth: string;
        id?: string;
    }
    /** A browser has a new subscription that replaces the `former` one; `secret`, the `auth` of the former subscription, proves this. */
    interface RenewPush {
        t: "renew-push";
        former: string;
        secret: string;
        endpoint: string;
        p256dh: string;
        auth: string;
        id?: string;
    }
    /** Be notified by a webhook; answered by `hook-named`. */
    interface NameHook {
        t: "name-hook";
        session: string;
        url: string;
        form?: "discord" | "plain" | "slack";
        id?: string;
    }
    /** Stop notices over a channel; answered by `notices-told`. */
    interface DropChannel {
        t: "drop-channel";
        session: string;
        channel: string;
        id?: string;
    }
    /** Have a test message sent over a channel; answered by `channel-tried`. */
    interface TryChannel {
        t: "try-channel";
        session: string;
        channel: string;
        id?: string;
    }
    /** Confirm an address by the token of the link that was sent to it; answered by `done`. */
    interface ConfirmMail {
        t: "confirm-mail";
        token: string;
        id?: string;
    }
    /** Stop all mails to an address, by the token of a link in one of them; answered by `done`. */
    interface LeaveMail {
        t: "leave-mail";
        token: string;
        id?: string;
    }
    /** Report somebody in the match of this connection to the staff, or the match itself; answered by `reported`. */
    interface Report {
        t: "report";
        why: string;
        who?: string;
        lines?: number[];
        id?: string;
    }
    /** Look for opponents by these terms; answered by `search`. */
    interface PlayNow {
        t: "play-now";
        session: string;
        token: string;
        sealed: string;
        terms: Terms;
        begins?: boolean;
        lot?: string;
        bot_after_s?: number;
        bot?: string;
        offer?: string;
        id?: string;
    }
    /** The terms of a wanted match: its game, options and clock, whether its result counts, and whether it is listed. */
    interface Terms {
        game: string;
        options?: Record<string, unknown>;
        time?: TimeControl;
        rated?: boolean;
        listed?: boolean;
        low?: number;
        high?: number;
    }
    /** Stop looking for opponents; answered by `done`. */
    interface StopSearch {
        t: "stop-search";
        session: string;
        token: string;
        id?: string;
    }
    /** Ask for the persons who are looking for opponents, and for their terms; answered by `offers-told`. */
    interface ListOffers {
        t: "offers";
        game?: string;
        id?: string;
    }
    /** Ask how the seats of a match were drawn; answered by `seats-drawn`. */
    interface ReadDraw {
        t: "seat-draw";
        match: string;
        id?: string;
    }
    /** Invite a person, by handle, to a match of two players by these terms; answered by `person-invited`. */
    interface InvitePerson {
        t: "invite-person";
        session: string;
        token: string;
        handle?: string;
        terms?: Terms;
        seat?: number;
        again?: string;
        id?: string;
    }
    /** Accept an invitation, with the token that will open the seat, or decline the invitation; answered by `person-invited`, or `done`. */
    interface AnswerInvitation {
        t: "answer-invitation";
        session: string;
        invitation: string;
        accept?: boolean;
        token?: string;
        id?: string;
    }
    /** Ask for the leaderboard of a game, without its first `after` rows; answered by `ratings-told`. */
    interface ReadRatings {
        t: "ratings";
        game: string;
        after?: number;
        id?: string;
    }
    /** Ask for the profile of a person, by handle, or of a bot, by `bot:NAME`; answered by `profile-told`. */
    interface ReadProfile {
        t: "profile";
        handle: string;
        id?: string;
    }
    /** Set the content of the person's profile from now on; answered by `profile-told`, as others see it. */
    interface ShowProfile {
        t: "show-profile";
        session: string;
        shows?: ("matches" | "ratings" | "results")[];
        favourites?: string[];
        at_table?: "" | "everybody" | "noted" | "opponents" | "unnoted";
        id?: string;
    }
    /** State in the record that a person holds the key of the sender's seat. */
    interface ClaimSeat {
        t: "person";
        commitment: string;
        signature: string;
        id?: string;
    }
    /** Ask for the persons who hold the seats and show themselves to this client; answered by `persons-told`. */
    interface ReadPersons {
        t: "persons";
        id?: string;
    }
    /** Have the server answer for the sender's seat from now on with these answers, which replace all stored ones; an empty list: stop answering. */
    interface Ahead {
        t: "ahead";
        answers?: AnswerAhead[];
        ack_seq?: number;
        ack_head?: string;
        id?: string;
    }
    /** An answer to one later question: the instruction as the seat signs it, its own `id`, salt and signature. */
    interface AnswerAhead {
        id: string;
        text: string;
        salt: string;
        signature: string;
    }
    /** The client has entered. */
    interface Welcome {
        t: "welcome";
        match: string;
        game: string;
        title: string;
        rules: string;
        viewer: ViewerInfo;
        seats: SeatInfo[];
        head: HeadInfo;
        keys: Record<string, string>;
        status?: string;
        delay?: Delay;
        clocks?: Record<string, ClockInfo>;
        table?: TableInfo;
        open_cards?: OpenCards;
    }
    /** The client's role here: `seat`; `spectator`; `open`, a spectator of open cards; or `caster`, who sees the view of `seat` but cannot choose. */
    interface ViewerInfo {
        as: string;
        seat?: number;
        directs?: boolean;
    }
    /** A seat: its holder's name, and whether a person, a bot or nobody yet holds it. */
    interface SeatInfo {
        seat: number;
        name?: string;
        kind?: string;
    }
    /** The end of the record: the last line and the chain's hash after it; `signed` is the server's checkpoint of it. */
    interface HeadInfo {
        seq: number;
        hash: string;
        signed?: string;
    }
    /** Spectators see a state that is at least `events` lines and `s` seconds old; the delay ends with the match. */
    interface Delay {
        events?: number;
        s?: number;
        phase?: boolean;
    }
    /** The reading of a seat's clock, in ms, and whether the clock runs. */
    interface ClockInfo {
        ms: number;
        run?: boolean;
        away_ms?: number;
        vacation_ms?: number;
    }
    /** The agreements around the match: time control, maximum length of a pause in ms (0: no pause), open offers. */
    interface TableInfo {
        time?: TimeControl;
        paused_ms?: number;
        offers?: OfferInfo[];
        reveal?: number[];
        reveal_ms?: number;
        hints?: boolean;
        hinted?: number[];
    }
    /** An open offer: its number, its author's seat, its terms, and the seats that have agreed or still have to. */
    interface OfferInfo {
        number: number;
        seat: number;
        terms: Pause | GoOn | Draw | Abandon | Replace | TakeBack;
        agreed?: number[];
        asked?: number[];
    }
    /** The complete Scene after line `seq`. */
    interface Snapshot {
        t: "snapshot";
        seq: number;
        scene: Scene;
        head: HeadInfo;
        clocks?: Record<string, ClockInfo>;
        table?: TableInfo;
    }
    /** Lines `from` to `to`: the text of each line, and the openings that this viewer holds; Steps with Scenes. */
    interface Events {
        t: "events";
        from: number;
        to: number;
        items: [string, [number, string][]][];
        head: HeadInfo;
        steps?: Step[];
        clocks?: Record<string, ClockInfo>;
        table?: TableInfo;
        salts?: string[][];
    }
    /** The server's signature under the last line at a later time: it shows that the match is idle, not that the stream is frozen. */
    interface Checkpoint {
        t: "checkpoint";
        seq: number;
        signed: string;
    }
    /** The choice is committed as line `seq`. */
    interface Accepted {
        t: "accepted";
        id: string;
        seq: number;
    }
    /** The consequences of a choice, in sentences with the rules behind them; empty if nothing is certain. */
    interface Foreseen {
        t: "foreseen";
        id: string;
        decision: number;
        lines?: string[];
        roll?: string;
        lost?: string;
        vain?: string;
        final?: string;
        english?: string[];
    }
    /** The results so far for the match, or for `line`: `done` of `of` parts are done; 0 of 0 if nobody has asked yet. */
    interface Judged {
        t: "judged";
        id: string;
        done: number;
        of: number;
        line?: number;
        sides?: number[][];
        points?: Point[];
        end?: number;
        won?: number[];
        turnings?: TurningPoint[];
        better?: Preferred[];
        luck?: Fortune[];
        advice?: Counsel[];
    }
    /** The result of `samples` games that bots played to the end from a line. */
    interface Point {
        line: number;
        samples: number;
        share: number[];
        low: number[];
        high: number[];
    }
    /** Between the lines `before` and `line`, a side's chance changed by `change`, ± `error`. */
    interface TurningPoint {
        before: number;
        line: number;
        side: number;
        change: number;
        error: number;
    }
    /** After `line`, a seat answered `made`. */
    interface Preferred {
        line: number;
        seat: number;
        made: string;
        other: string;
        gain: number;
        error: number;
        lang?: string;
    }
    /** The dice of a seat that needed certain faces: the number of dice, how many succeeded, how many were expected to succeed, and the standard deviation of the expected number. */
    interface Fortune {
        seat: number;
        dice: number;
        successes: number;
        expected: number;
        spread: number;
    }
    /** The search's choices for a question that `seat` is asked, the best first; from the seat's knowledge. */
    interface Counsel {
        seat: number;
        ask: string;
        choices: Weighing[];
        lang?: string;
    }
    /** A choice that the search tried: how often the seat's side won after it, ± `error`. */
    interface Weighing {
        choice: string;
        share: number;
        error: number;
        weight: number;
        made?: boolean;
        lang?: string;
    }
    /** The search's choices for the decision, as far as its seat can know, the preferred choice first. */
    interface Hinted {
        t: "hinted";
        id: string;
        decision: number;
        choices: Suggested[];
        gain?: number;
        error?: number;
        done?: number;
        of?: number;
    }
    /** A choice that the search tried, in words and in the form of `choose` (`answer`): the chance of the seat's side to win after it, ± `error`; `weight`: how often to choose it, 1 for the preferred choice. */
    interface Suggested {
        choice: string;
        answer: unknown;
        share: number;
        error: number;
        weight: number;
        lang?: string;
    }
    /** The state of a lesson. */
    interface Studied {
        t: "studied";
        id: string;
        title: string;
        at: "end" | "off" | "way";
        language: string;
        done: number;
        steps: number;
        read?: Passage[];
        heard?: Passage[];
        likely?: Passage[];
        back?: number;
        next?: string;
        scene?: Scene | null;
        deltas?: Step[];
    }
    /** A passage spoken by a lesson's voice, the things on the table to which it points, and the rows of the rules behind it. */
    interface Passage {
        say: string;
        point?: string[];
        rules?: string[];
        lang?: string;
    }
    /** The choice was refused. */
    interface Refused {
        t: "refused";
        id: string;
        code: string;
        why: string;
        rule?: string;
        lang?: string;
    }
    /** A message could not be served; nothing has changed. */
    interface Error {
        t: "error";
        code: string;
        why: string;
        id?: string;
        lang?: string;
    }
    /** The seats that are connected, and the number of spectators. */
    interface Presence {
        t: "presence";
        seats: number[];
        spectators: number;
        casters?: number;
        shared?: number[];
        names?: string[];
        thinking?: number[];
        directed?: number[];
    }
    /** Lines of chat in the client's chat room: the latest lines on entering, then each new line. */
    interface Said {
        t: "said";
        lines: ChatLine[];
    }
    /** A line of chat: its number in the chat room, its time in ms, its author (`seat0`, or `s7` for a spectator), and a name. */
    interface ChatLine {
        n: number;
        at: number;
        who: string;
        text: string;
        name?: string;
    }
    /** The view that a director chooses, which a client can follow, and the director's `name`. */
    interface Directed {
        t: "directed";
        direction?: Direction;
        name?: string;
        said?: string;
        signed?: string;
    }
    /** A part of a commentary is stored. */
    interface Kept {
        t: "kept";
        id: string;
        bytes?: number;
    }
    /** A caster's token for the client's seat; it is not sent again. */
    interface Granted {
        t: "granted";
        token: string;
    }
    /** The secret that signs messages to the address; it is not sent again. */
    interface Notified {
        t: "notified";
        secret?: string;
    }
    /** The requested matches that are not over. */
    interface Turns {
        t: "turns";
        turns: Turn[];
    }
    /** A match that is not over: whether it waits for the seat (`yours`), and the end of the seat's time, in ms. */
    interface Turn {
        match: string;
        seat: number;
        game: string;
        title: string;
        yours?: boolean;
        due_ms?: number;
    }
    /** Every caster's token of the client's seat is void. */
    interface Revoked {
        t: "revoked";
    }
    /** Somebody sat down. */
    interface SeatsChanged {
        t: "seats";
        seats: SeatInfo[];
    }
    /** The answer to `ping`. */
    interface Pong {
        t: "pong";
        n: number;
    }
    /** The games that can be played. */
    interface Games {
        t: "games";
        games: GameInfo[];
    }
    /** A game that can be played; `options` are its options with their defaults, `bots` the names of its bots. */
    interface GameInfo {
        game: string;
        title: string;
        about: string;
        seats: number;
        options: Record<string, boolean | number | string>;
        bots: string[];
        values?: Record<string, (string | number)[]>;
        quick?: Record<string, unknown>;
        seats_by?: Record<string, Record<string, number>>;
        lang?: string;
        open_cards_s?: number;
        lasting?: string[];
    }
    /** The matches that are listed. */
    interface Matches {
        t: "matches";
        open: MatchInfo[];
        running: MatchInfo[];
        finished: MatchInfo[];
    }
    /** An entry of the match list. */
    interface MatchInfo {
        match: string;
        game: string;
        title: string;
        created_ms: number;
        seats: SeatInfo[];
        result?: string;
        delay?: Delay;
        hints?: boolean;
        lang?: string;
        rated?: boolean;
        open_cards?: OpenCards;
        options?: Record<string, unknown>;
        time?: TimeControl;
        guests?: number[];
        handles?: Record<number, string>;
    }
    /** A new match, the tokens of its seats, and its invitations, by seat. */
    interface Created {
        t: "created";
        match: string;
        tokens: Record<string, string>;
        id?: string;
        invitations?: Record<string, string>;
    }
    /** The client has the seat. */
    interface Joined {
        t: "joined";
        match: string;
        seat: number;
        token: string;
        id?: string;
    }
    /** An invitation's content: the match, its options, clock and seats, and the `seat` that it opens. */
    interface Invited {
        t: "invited";
        match: string;
        game: string;
        title: string;
        seat: number;
        seats: InvitedSeat[];
        options?: Record<string, unknown>;
        time?: TimeControl;
        by?: number;
        until_ms?: number;
        hints?: boolean;
        closed?: boolean;
        id?: string;
        rated?: boolean;
        open_cards?: OpenCards;
    }
    /** A seat of the match to which somebody is invited, in the form of `SeatInfo`. */
    interface InvitedSeat {
        seat: number;
        name?: string;
        kind?: string;
        waits?: boolean;
    }
    /** The invitation that now opens the seat; the earlier one opens nothing. */
    interface Withdrawn {
        t: "withdrawn";
        match: string;
        seat: number;
        invitation: string;
        id?: string;
    }
    /** Only the new token opens the seat. */
    interface Renewed {
        t: "renewed";
        id?: string;
    }
    /** The number of devices on which the seat is open; sent only to the seat's holders, when the number changes. */
    interface Devices {
        t: "devices";
        n: number;
    }
    /** The seats that would like to play again. */
    interface Rematch {
        t: "rematch";
        asked: number[];
        match?: string;
        seat?: number;
        token?: string;
    }
    /** The challenge that a device has to sign once, within `s` seconds, for this site and origin as the server sees them. */
    interface Challenged {
        t: "challenged";
        challenge: string;
        site: string;
        origin: string;
        s: number;
        id?: string;
        passkeys?: boolean;
    }
    /** A session has begun. */
    interface SignedIn {
        t: "signed-in";
        session: string;
        until_ms: number;
        handle: string;
        recovery?: string;
        id?: string;
    }
    /** The device waits until another device, which shows the same `number`, confirms it. */
    interface Pairing {
        t: "pairing";
        number: string;
        id?: string;
    }
    /** The code for a new device, and the time at which it expires. */
    interface PairingOffered {
        t: "pairing-offered";
        code: string;
        until_ms: number;
        id?: string;
    }
    /** The person's account: handles, devices, the last changes, a device that asks to be added, and passkeys. */
    interface AccountTold {
        t: "account-told";
        handle: string;
        devices: DeviceInfo[];
        former?: FormerHandle[];
        notices?: NoticeInfo[];
        asks?: PairingInfo;
        id?: string;
        passkeys?: PasskeyInfo[];
        can_passkeys?: boolean;
        at_table?: string;
    }
    /** One of the person's devices: when it was added, last signed in and revoked, in ms. */
    interface DeviceInfo {
        key: string;
        name: string;
        added_ms: number;
        used_ms?: number;
        revoked_ms?: number;
        here?: boolean;
    }
    /** A handle that the person has given up; it stays reserved until a time in ms. */
    interface FormerHandle {
        handle: string;
        until_ms: number;
    }
    /** A change of the account: `device-added`, `device-revoked`, `recovered`, `code-renewed`, `handle`, `passkey-added`, `passkey-used` or `passkey-dropped`. */
    interface NoticeInfo {
        at_ms: number;
        what: string;
        about: string;
    }
    /** A device that waits to be confirmed. */
    interface PairingInfo {
        key: string;
        name: string;
        until_ms: number;
    }
    /** One of the person's passkeys: its id, and when it was added and last used, in ms. */
    interface PasskeyInfo {
        id: string;
        name: string;
        added_ms: number;
        used_ms?: number;
    }
    /** The recovery code that is valid from now on; it is not sent again. */
    interface RecoveryCode {
        t: "recovery-code";
        recovery: string;
        id?: string;
    }
    /** The person's matches, the most recently changed first, the number of matches in each group, and whether more follow. */
    interface MyMatches {
        t: "my-matches-told";
        matches: MyMatch[];
        counts: Record<string, number>;
        more?: boolean;
        id?: string;
        invitations?: InvitationTold[];
    }
    /** One of the person's matches: the person's seat, the players by seat, and the match's group. */
    interface MyMatch {
        match: string;
        seat: number;
        game: string;
        title: string;
        group: "finished" | "open" | "waiting" | "yours";
        players: string[];
        created_ms: number;
        changed_ms: number;
        result?: string;
        due_ms?: number;
        outcome?: "" | "drawn" | "lost" | "void" | "won";
        change?: number;
        listed?: boolean;
    }
    /** An unanswered invitation from one person to another to take a seat of a match. */
    interface InvitationTold {
        invitation: string;
        handle: string;
        match: string;
        seat: number;
        game: string;
        at_ms: number;
        mine?: boolean;
        options?: Record<string, unknown>;
        time?: TimeControl;
        rated?: boolean;
    }
    /** The person's seat, which the token in the request opens. */
    interface SeatEntered {
        t: "seat-entered";
        match: string;
        seat: number;
        game: string;
        title?: string;
        id?: string;
        shown?: "" | "everybody" | "nobody" | "opponents";
    }
    /** All data that the server stores about a person beside its records, which are exported by match (docs/replay.md). */
    interface Exported {
        t: "exported";
        person: string;
        handle: string;
        former: FormerHandle[];
        devices: DeviceInfo[];
        sessions: SessionInfo[];
        notices: NoticeInfo[];
        seats: OwnSeat[];
        id?: string;
        rated_as?: string;
        shunned?: Shunned[];
        entries?: StaffEntry[];
        calendar_ms?: number;
        reports?: ReportInfo[];
        claims?: OwnClaim[];
        passkeys?: PasskeyInfo[];
        vouchers?: Voucher[];
        invitations?: InvitationTold[];
        shown?: string;
        search?: string;
        channels?: ChannelInfo[];
        quiet?: QuietInfo;
        told?: ToldMove[];
        ahead?: SignedAhead[];
    }
    /** A session: its device's key, and when it began and ends, in ms. */
    interface SessionInfo {
        key: string;
        began_ms: number;
        until_ms: number;
    }
    /** A seat that the person has noted, and the time of the note in ms. */
    interface OwnSeat {
        match: string;
        seat: number;
        at_ms: number;
    }
    /** A person who is blocked or muted since `at_ms`. */
    interface Shunned {
        of: string;
        name: string;
        kind: string;
        at_ms: number;
    }
    /** An entry of the staff's log: its number and time, the act and its reason, and the time until which it holds (0: permanently). */
    interface StaffEntry {
        n: number;
        at_ms: number;
        act: string;
        why: string;
        author?: string;
        about?: string;
        until_ms?: number;
        report?: string;
        hash?: string;
        before?: string;
        handle?: string;
    }
    /** A report: the reported person's name at that table and handle, if it is known, and the reason. */
    interface ReportInfo {
        report: string;
        at_ms: number;
        match: string;
        why: string;
        who?: string;
        name?: string;
        handle?: string;
        by?: string;
        lines?: ReportedLine[];
        seq?: number;
        settled_ms?: number;
    }
    /** A line of chat as it was when it was reported. */
    interface ReportedLine {
        n: number;
        at_ms: number;
        who: string;
        name: string;
        text: string;
    }
    /** The opening of the person's claim to a seat, and its viewers. */
    interface OwnClaim {
        match: string;
        line: number;
        seat: number;
        site: string;
        key: string;
        salt: string;
        signature: string;
        shown: "everybody" | "nobody" | "opponents";
    }
    /** The device `by` has signed, at the server `site`, that the device `key` belongs to the same person (docs/people.md). */
    interface Voucher {
        site: string;
        by: string;
        key: string;
        signature: string;
    }
    /** One of the person's channels. */
    interface ChannelInfo {
        channel: string;
        kind: "hook" | "mail" | "push";
        address: string;
        added_ms: number;
        confirmed_ms?: number;
        sent_ms?: number;
        tries?: number;
        form?: string;
    }
    /** The times at which the person is not notified; the fields are those of `set-quiet`. */
    interface QuietInfo {
        language?: string;
        zone?: string;
        begin?: number;
        end?: number;
        away_until?: number;
        pace?: "day" | "hour" | "move";
    }
    /** A move about which a notice was sent over a channel or is about to be sent: its match, seat and decision, its time, and the end of that seat's time. */
    interface ToldMove {
        channel: string;
        match: string;
        seat: number;
        decision: number;
        title: string;
        at_ms: number;
        due_ms: number;
        told: boolean;
    }
    /** The stored answers that a seat has signed ahead. */
    interface SignedAhead {
        match: string;
        seat: number;
        ack_seq: number;
        ack_head: string;
        answers: AnswerAhead[];
    }
    /** The path of the calendar at this server (RFC 5545), which is not sent again; "" if the link was withdrawn. */
    interface CalendarTold {
        t: "calendar-told";
        path?: string;
        id?: string;
    }
    /** The request was carried out. */
    interface Done {
        t: "done";
        id?: string;
    }
    /** The account is deleted. */
    interface Deleted {
        t: "deleted";
        later?: boolean;
        id?: string;
    }
    /** The persons whom the receiver blocks or mutes, the entries about the receiver, the log's end, and whether the receiver belongs to the staff. */
    interface SafetyTold {
        t: "safety-told";
        shunned?: Shunned[];
        entries?: StaffEntry[];
        last?: number;
        head?: string;
        staff?: boolean;
        id?: string;
    }
    /** Reports, the oldest first, and whether more follow. */
    interface ReportsTold {
        t: "reports-told";
        reports: ReportInfo[];
        more?: boolean;
        id?: string;
    }
    /** The act is done, and is in the log as this entry. */
    interface Moderated {
        t: "moderated";
        entry: StaffEntry;
        id?: string;
    }
    /** Entries of the log in order, and whether more follow. */
    interface StaffLogTold {
        t: "staff-log-told";
        entries: StaffEntry[];
        more?: boolean;
        id?: string;
    }
    /** How the person is notified. */
    interface NoticesTold {
        t: "notices-told";
        channels?: ChannelInfo[];
        quiet?: QuietInfo;
        mail?: boolean;
        push_key?: string;
        hooks?: boolean;
        id?: string;
    }
    /** The webhook is set. */
    interface HookNamed {
        t: "hook-named";
        secret: string;
        id?: string;
    }
    /** Whether a test message was accepted. */
    interface ChannelTried {
        t: "channel-tried";
        taken: boolean;
        id?: string;
    }
    /** The report is stored under this name. */
    interface Reported {
        t: "reported";
        report: string;
        id?: string;
    }
    /** The state of a search: `waiting`, `drawing` seats, or `found`. */
    interface Search {
        t: "search";
        state: "drawing" | "found" | "waiting";
        since_ms?: number;
        others?: number;
        bot?: BotOffer;
        bot_sealed?: string[];
        fresh?: boolean;
        sealed?: string[];
        match?: string;
        seat?: number;
        drawn?: SeatDraw;
        id?: string;
        along?: number;
    }
    /** A bot of matching strength; `rating` in points, if it has one in this game. */
    interface BotOffer {
        bot: string;
        rating?: number;
    }
    /** How seats were drawn: by seat the commitment and the lot, as base64url of 32 bytes. */
    interface SeatDraw {
        sealed: string[];
        lots: string[];
    }
    /** The persons who are looking for opponents, and their number. */
    interface OffersTold {
        t: "offers-told";
        offers: OfferTold[];
        seekers: number;
        there: number;
        paces: Record<string, TimeControl>;
        id?: string;
    }
    /** A person who is looking for opponents: the name of the offer, the terms, the number of seats, and the time at which the search began, in ms. */
    interface OfferTold {
        offer: string;
        terms: Terms;
        seats: number;
        since_ms: number;
        handle?: string;
        rating?: number;
        provisional?: boolean;
    }
    /** How the seats of a match were drawn; empty if they were not drawn. */
    interface SeatsDrawn {
        t: "seats-drawn";
        match: string;
        drawn?: SeatDraw;
        id?: string;
    }
    /** The match of an invitation between persons, and the receiver's seat, which the token in the request opens. */
    interface PersonInvited {
        t: "person-invited";
        match: string;
        seat: number;
        game: string;
        invitation?: string;
        id?: string;
    }
    /** A leaderboard: established players first, each group by rating. */
    interface RatingsTold {
        t: "ratings-told";
        game: string;
        at_ms: number;
        rows: RankInfo[];
        total: number;
        games: string[];
        more?: boolean;
        id?: string;
    }
    /** A row of a leaderboard: the rating and its deviation, in points. */
    interface RankInfo {
        rating: number;
        deviation: number;
        matches: number;
        won: number;
        drawn: number;
        lost: number;
        handle?: string;
        provisional?: boolean;
    }
    /** The profile that a person or a bot shows. */
    interface ProfileTold {
        t: "profile-told";
        handle: string;
        shows?: string[];
        favourites?: string[];
        games?: ProfileGame[];
        best?: ProfileMatch[];
        latest?: ProfileMatch[];
        id?: string;
    }
    /** A game in a profile: the rating, and its curve over the last results. */
    interface ProfileGame {
        game: string;
        rank: RankInfo;
        curve?: CurvePoint[];
    }
    /** A rating after a match: the time in ms, and the rating and its deviation in points. */
    interface CurvePoint {
        at_ms: number;
        rating: number;
        deviation: number;
    }
    /** A listed, finished match: the seat of the profile's owner, the players, the result, and the rating gain in points. */
    interface ProfileMatch {
        match: string;
        game: string;
        title: string;
        seat: number;
        players: string[];
        result: string;
        at_ms: number;
        change?: number;
    }
    /** The persons who hold seats and show themselves to this client, indexed by the lines of their claims. */
    interface PersonsTold {
        t: "persons-told";
        persons: PersonInfo[];
        id?: string;
    }
    /** The opening of a claim, and the handle of its person; only the server vouches for the handle. */
    interface PersonInfo {
        seat: number;
        line: number;
        site: string;
        key: string;
        salt: string;
        signature: string;
        handle: string;
        vouchers?: Voucher[];
    }
    /** The answers that the server stores for the client's seat, in the order in which it would use them. */
    interface AheadTold {
        t: "ahead-told";
        answers: KeptAnswer[];
        id?: string;
    }
    /** An answer that the server stores and has not used: its id and its instruction. */
    interface KeptAnswer {
        id: string;
        text: string;
    }
}
export type ClientMessage = Wire.Hello | Wire.Choose | Wire.Reveal | Wire.Share | Wire.SetKey | Wire.Resign | Wire.Offer | Wire.Agree | Wire.Decline | Wire.Claim | Wire.Vacation | Wire.Hint | Wire.Notify | Wire.ListTurns | Wire.Need | Wire.Foresee | Wire.Judge | Wire.StopHint | Wire.Study | Wire.Consider | Wire.Grant | Wire.Revoke | Wire.Chat | Wire.Mute | Wire.Direct | Wire.Remark | Wire.Voice | Wire.Ping | Wire.ListGames | Wire.ListMatches | Wire.Create | Wire.Branch | Wire.Join | Wire.ReadInvitation | Wire.Withdraw | Wire.Renew | Wire.Again | Wire.AskChallenge | Wire.SignUp | Wire.SignIn | Wire.Recover | Wire.AskPairing | Wire.PasskeyIn | Wire.AddPasskey | Wire.DropPasskey | Wire.ReadAccount | Wire.SignOut | Wire.Rename | Wire.RevokeDevice | Wire.OfferPairing | Wire.ConfirmPairing | Wire.RenewCode | Wire.KeepSeat | Wire.EnterSeat | Wire.ListMine | Wire.CalendarLink | Wire.ExportMe | Wire.DeleteMe | Wire.Shun | Wire.ReadSafety | Wire.ReadReports | Wire.Moderate | Wire.ReadStaffLog | Wire.ReadNotices | Wire.SetQuiet | Wire.NameMail | Wire.NamePush | Wire.RenewPush | Wire.NameHook | Wire.DropChannel | Wire.TryChannel | Wire.ConfirmMail | Wire.LeaveMail | Wire.Report | Wire.PlayNow | Wire.StopSearch | Wire.ListOffers | Wire.ReadDraw | Wire.InvitePerson | Wire.AnswerInvitation | Wire.ReadRatings | Wire.ReadProfile | Wire.ShowProfile | Wire.ClaimSeat | Wire.ReadPersons | Wire.Ahead;
export type ServerMessage = Wire.Welcome | Wire.Snapshot | Wire.Events | Wire.Checkpoint | Wire.Accepted | Wire.Foreseen | Wire.Judged | Wire.Hinted | Wire.Studied | Wire.Refused | Wire.Error | Wire.Presence | Wire.Said | Wire.Directed | Wire.Kept | Wire.Granted | Wire.Notified | Wire.Turns | Wire.Revoked | Wire.SeatsChanged | Wire.Pong | Wire.Games | Wire.Matches | Wire.Created | Wire.Joined | Wire.Invited | Wire.Withdrawn | Wire.Renewed | Wire.Devices | Wire.Rematch | Wire.Challenged | Wire.SignedIn | Wire.Pairing | Wire.PairingOffered | Wire.AccountTold | Wire.RecoveryCode | Wire.MyMatches | Wire.SeatEntered | Wire.Exported | Wire.CalendarTold | Wire.Done | Wire.Deleted | Wire.SafetyTold | Wire.ReportsTold | Wire.Moderated | Wire.StaffLogTold | Wire.NoticesTold | Wire.HookNamed | Wire.ChannelTried | Wire.Reported | Wire.Search | Wire.OffersTold | Wire.SeatsDrawn | Wire.PersonInvited | Wire.RatingsTold | Wire.ProfileTold | Wire.PersonsTold | Wire.AheadTold;
export declare namespace Words {
    /** A whole Scene. */
    interface SceneWords {
        v: 1;
        game: string;
        title: string;
        crumbs: string[];
        viewer: Looker;
        seats: Record<string, Plate>;
        layouts: Partial<Record<"tall" | "wide", Layout>>;
        zones: Record<string, Zone>;
        pieces: Record<string, Piece>;
        links: Record<string, Link>;
        prompt?: Prompt;
        seq?: number;
        log?: Line[];
        symbols?: Symbol[];
        english?: string[];
    }
    /** The viewer. */
    interface Looker {
        as: string;
        seat?: number;
    }
    /** A player. */
    interface Plate {
        name: string;
        side: string;
        charge: string;
        active: boolean;
        counters: Record<string, Counter>;
        marks: Record<string, Mark>;
        clock?: Clock;
        aria?: string;
        team?: number;
        out?: boolean;
    }
    /** A number on a player's plate. */
    interface Counter {
        g: string;
        label: string;
        v: number | string;
        max?: number;
        key?: boolean;
        tone?: string;
        term?: string;
    }
    /** A sign on a player's plate. */
    interface Mark {
        g: string;
        label: string;
        term?: string;
    }
    /** Time left, and whether it runs. */
    interface Clock {
        ms: number;
        run: boolean;
    }
    /** The arrangement of zones. */
    interface Layout {
        size: number[];
        at: Record<string, number[]>;
    }
    /** Part of the table. */
    interface Zone {
        geom: Geom;
        label?: string;
        note?: string;
        aria?: string;
        owner?: number;
        style?: "" | "bare" | "battle" | "caption" | "field" | "inlay" | "none" | "ward";
        slots?: Record<string, Place>;
        tip?: (string | string[])[];
        terms?: string[];
    }
    /** The shape of a zone and its places; `type` decides which other fields apply. */
    interface Geom {
        type: "col" | "fan" | "free" | "grid" | "map" | "panel" | "pile" | "row" | "track" | "tray";
        cols?: number;
        rows?: number;
        gap?: number | number[];
        aspect?: number;
        pad?: number;
        align?: "center" | "end" | "start";
        max?: number;
        min?: number;
        fold?: "" | "both" | "rows";
        arc?: number;
        count?: number;
        back?: Back;
        open?: boolean;
        box?: number[];
        unit?: number;
        areas?: Record<string, Area>;
        edges?: Record<string, Edge>;
        over?: string;
        ticks?: number;
        marks?: Record<string, Meter>;
        items?: Record<string, Meter>;
        roll?: Roll;
        tall?: Partial<Geom>;
    }
    /** The back of a card. */
    interface Back {
        seat: number;
        g: string;
    }
    /** A line on a map that carries something or that can be named; like an area, it is a place. */
    interface Edge {
        line: number[][];
        label: string;
        kind?: "" | "stakes" | "wall";
        owner?: number;
        terms?: string[];
    }
    /** The last roll. */
    interface Roll {
        title: string;
        groups: Group[];
        result?: string;
    }
    /** Dice that belong together. */
    interface Group {
        label: string;
        owner: number;
        dice: Die[];
        sum?: string;
    }
    /** One die. */
    interface Die {
        t: string;
        f?: number | string;
        g?: string;
        st?: "" | "hit" | "off";
        label?: string;
    }
    /** A place of a grid or a row. */
    interface Place {
        label: string;
        short?: string;
        aria?: string;
    }
    /** A thing on the table. */
    interface Piece {
        shape: "card" | "coin" | "cube" | "disc" | "flag" | "tile";
        kind: string;
        label: string;
        zone?: string;
        slot?: string | number;
        owner?: number;
        face?: "down" | "peek" | "up";
        on?: string;
        dock?: "" | "b" | "bl" | "br" | "c" | "l" | "r" | "t" | "tl" | "tr";
        dockSize?: number;
        hang?: number;
        z?: number;
        glyph?: string;
        art?: "" | "plain";
        title?: string;
        short?: string;
        sub?: string;
        tier?: number;
        tierLabel?: string;
        back?: Back;
        backTitle?: string;
        stats?: Stat[];
        dice?: Die[];
        bar?: Bar;
        badges?: Badge[];
        ends?: End[];
        span?: number[];
        size?: number;
        mark?: boolean;
        rot?: number;
        tone?: string;
        n?: number;
        state?: ("dead" | "dim" | "ghost" | "hot" | "used")[];
        tip?: (string | string[])[];
        known?: string;
        same?: string;
        terms?: string[];
    }
    /** A number on a card. */
    interface Stat {
        v: number | string;
        label: string;
        k?: string;
        g?: string;
        form?: "box" | "key" | "shield";
        tone?: string;
    }
    /** Life. */
    interface Bar {
        v: number;
        max: number;
        label: string;
        warn?: number;
    }
    /** A sign on a piece. */
    interface Badge {
        at: string;
        label: string;
        g?: string;
        n?: number;
        tone?: string;
    }
    /** One half of a double-ended card. */
    interface End {
        v: number | string;
        label: string;
        g?: string;
        note?: string;
        tip?: (string | string[])[];
    }
    /** A line between two things. */
    interface Link {
        from: string;
        to: string;
        tone?: string;
    }
    /** The question. */
    interface Prompt {
        id: string;
        seat: number;
        mode: "none" | "over" | "past" | "wait" | "you";
        ask: string;
        why?: string;
        also?: string;
        phase?: string;
        left?: number;
        fields?: Field[];
        confirm?: string;
        undo?: string;
        hint?: string;
        forced?: boolean;
        terms?: string[];
        dice?: Group[];
    }
    /** One part of an answer. */
    interface Field {
        id: string;
        type: "assign" | "many" | "one";
        label?: string;
        look?: "" | "chips";
        optional?: boolean;
        draft?: Draft;
        options?: Option[];
        items?: Item[];
        slots?: Item[];
        min?: number;
        max?: number;
        fill?: "" | "items" | "slots";
        legal?: Record<string, string[]>;
        dock?: string;
        ordered?: boolean;
    }
    /** One answer. */
    interface Option {
        id: string;
        label: string;
        sub?: string;
        end?: string;
        grp?: string;
        g?: string;
        at?: string[];
        from?: string;
        dice?: PooledDie[];
        key?: string;
        tone?: "" | "danger" | "quiet";
        confirm?: string;
        off?: string;
        tip?: (string | string[])[];
        file?: OwnFile;
        arrange?: Arrange;
    }
    /** Dice of one kind in an option's row; `label` gives their kind and number in words. */
    interface PooledDie {
        t: string;
        n: number;
        g?: string;
        label?: string;
    }
    /** How a file is sent: as the choice `do`, with the file's JSON in its field `as`. */
    interface OwnFile {
        do: string;
        as: string;
    }
    /** Things on the table that may be put elsewhere: a field of type `assign`, whose answer is the option's. */
    interface Arrange {
        items: Item[];
        slots: Item[];
        legal: Record<string, string[]>;
        draft: Record<string, string>;
    }
    /** Something to pick, to assign, or to fill. */
    interface Item {
        id: string;
        label: string;
        at?: string;
        g?: string;
        sub?: string;
        cap?: number;
        die?: Die;
    }
    /** A line of the chronicle. */
    interface Line {
        t: string | (string | LineRef)[];
        seat?: number;
        k?: "head" | "line" | "note" | "sec" | "why";
        lang?: string;
    }
    /** A name in a line that refers to a thing. */
    interface LineRef {
        r: string;
        t: string;
    }
    /** A word that has a picture wherever it occurs: before it, or with `only` instead of it. */
    interface Symbol {
        t: string;
        g?: string;
        tone?: string;
        form?: "" | "coin" | "die";
        only?: boolean;
    }
    /** An animation. */
    interface Cue {
        k: "arrow" | "banner" | "flip" | "gain" | "guard" | "hit" | "pulse" | "result" | "roll" | "walk";
        when?: "post" | "pre";
        at?: number;
        from?: string;
        to?: string;
        ref?: string;
        t?: string;
        tone?: string;
        n?: number;
        ms?: number;
        zone?: string;
        sub?: string;
        g?: string;
        path?: string[];
        seat?: number;
        odds?: number[];
        lang?: string;
    }
}
