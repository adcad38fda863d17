/** The target of a link: a seat with its token and maybe its key, or the match alone for spectators. */
export interface Link {
    server: string;
    match: string;
    token: string;
    /** The private key's text, or "". */
    key: string;
    /** The invitation that opens a seat of the match once, or "". */
    invitation?: string;
}
/** The target of a page's link, written as `/play#m=…&t=…&k=…` on a server. Throws `BadLink`. */
export declare function readLink(link: string): Link;
/** The link of a page: of a seat's table, or of a spectator's. */
export declare function writeLink({ server, match, token, key, invitation }: Link): string;
/** The address of the socket of a server that is named by the address of its pages, or by that of its socket. */
export declare function socketOf(address: string): string;
/** A server's name as a client calls it: its host, and the port if it is not the usual one. */
export declare const siteOf: (address: string) => string;
