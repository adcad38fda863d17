// The links of a server's pages, which hold all that a client needs.
import { BadLink } from "./errors.js";
/** The target of a page's link, written as `/play#m=…&t=…&k=…` on a server. Throws `BadLink`. */
export function readLink(link) {
    const url = URL.canParse(link) ? new URL(link) : null;
    const said = new URLSearchParams(url?.hash.slice(1));
    const match = said.get("m");
    if (!url || !match || !["http:", "https:"].includes(url.protocol)) {
        throw new BadLink("That is no link to a match: a server's address and /play#m=MATCH&t=TOKEN.");
    }
    return {
        server: url.origin,
        match,
        token: said.get("t") ?? "",
        key: said.get("k") ?? "",
        invitation: said.get("i") ?? "",
    };
}
/** The link of a page: of a seat's table, or of a spectator's. */
export function writeLink({ server, match, token, key, invitation }) {
    if (invitation && !token) {
        return `${server}/play#m=${match}&i=${invitation}`;
    }
    const page = token ? "play" : "watch";
    const held = token && `&t=${token}`;
    const signing = key && `&k=${key}`;
    return `${server}/${page}#m=${match}${held}${signing}`;
}
/** The address of the socket of a server that is named by the address of its pages, or by that of its socket. */
export function socketOf(address) {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url || !/^(http|ws)s?:$/.test(url.protocol)) {
        throw new BadLink("That is no server's address: it begins with http: or https:.");
    }
    url.protocol = url.protocol.replace("http", "ws");
    return new URL("/ws", url).href;
}
/** A server's name as a client calls it: its host, and the port if it is not the usual one. */
export const siteOf = (address) => new URL(address.replace(/^ws/, "http")).host;
