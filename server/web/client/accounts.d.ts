import { type Opening, type PersonKey } from "./claims.js";
import { type Sockets } from "./connection.js";
import type { Key } from "./seatkey.js";
import type { ClientMessage, ServerMessage, Wire } from "./wire.js";
type Told<T extends string> = Extract<ServerMessage, {
    t: T;
}>;
/** A device's or a person's key: `Match` needs it to stand behind a seat, an account needs it to sign in. */
export declare const personKey: (key: Key) => PersonKey;
/** The twelve digits that the old device and the new one show alike. */
export declare function pairingNumber(code: string, key: string): string;
/** One connection, on which each message is answered. */
declare class Wired {
    #private;
    constructor(url: string, Socket: Sockets);
    /** The answer to a message. Throws `Refused` and `Closed`. */
    ask<T extends ServerMessage["t"]>(message: ClientMessage, kind: T): Promise<Told<T>>;
    close(): void;
}
/** The way into the account of one device's key at a server. Each call is a connection of its own. */
export declare class AccountDoor {
    #private;
    /** The server's name, which is signed. */
    readonly site: string;
    /** `address`: the address of the server's pages; `Socket`: the class of WebSocket, if the platform has none. */
    constructor(address: string, key: Key | PersonKey, Socket?: Sockets);
    /** A new person with a handle. Keep the recovery code. */
    signUp(handle: string, name?: string): Promise<Wire.SignedIn>;
    /** Adds this device by a recovery code. Keep the code that takes its place. */
    recover(code: string, name?: string): Promise<Wire.SignedIn>;
    /** Asks another device of the person to add this one; gives the number that both show. */
    askPairing(code: string, name?: string): Promise<string>;
    /** Signed in, until `end` is called. */
    session(): Promise<Session>;
}
/** A person who is signed in, over one connection. Every method throws `Refused` and `Closed`. */
export declare class Session {
    #private;
    readonly entered: Wire.SignedIn;
    constructor(wired: Wired, entered: Wire.SignedIn, key: PersonKey, site: string);
    account(): Promise<Wire.AccountTold>;
    /** Takes another handle. */
    rename(handle: string): Promise<Wire.AccountTold>;
    /** Removes a device: it can no longer sign in. */
    revoke(key: string): Promise<Wire.AccountTold>;
    /** Lets one new device ask by a code. */
    offerPairing(): Promise<Wire.PairingOffered>;
    /** Adds the device that has asked, once both show the same number, and vouches for it with this device's key. */
    confirmPairing(key: string): Promise<Wire.AccountTold>;
    /** A new recovery code, which makes the former one void. */
    renewCode(): Promise<string>;
    /**
     * Notes a seat among one's own matches, or removes the note. `claim`: the opening of the record's line that names the person
     * behind the seat; `signature`: that of `Match.entry`, by which `enterSeat` opens the seat later.
     */
    keepSeat(match: string, token: string, { on, claim, shown, signature, }?: {
        on?: boolean;
        claim?: Opening;
        shown?: Wire.ClaimOpening["shown"];
        signature?: string;
    }): Promise<void>;
    /** Enters a seat of one's own without its link: the token, drawn and stored before, opens it from now on. */
    enterSeat(match: string, token: string): Promise<Wire.SeatEntered>;
    /** A page of one's own matches. */
    matches(group?: Wire.ListMine["group"], text?: string, after?: number): Promise<Wire.MyMatches>;
    /** All data that the server stores about the person. */
    exported(): Promise<Wire.Exported>;
    /** Deletes the account, by its handle typed once more; returns whether its bytes are gone from the database by now. */
    delete(handle: string): Promise<boolean>;
    /** Ends the session; a session that is over already stays so. */
    end(): Promise<void>;
}
export {};
