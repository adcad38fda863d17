// One message to a server over a connection of its own, and its answer.
import { socketAt } from "./connection.js";
import { Closed, Refused } from "./errors.js";
/** Sends one message and gives its answer. `url`: the server's socket, by default that of the page. Rejects with `Refused` or `Closed`. */
export function askOnce(m, kind, url, Socket = WebSocket) {
    const socket = new Socket(socketAt("match" in m ? (m.match ?? "") : "", url), "herald.v1+json");
    const answered = new Promise((resolve, reject) => {
        const gone = (event) => reject(new Closed(event.code ?? 0, "the server does not answer"));
        socket.onopen = () => socket.send(JSON.stringify(m));
        socket.onclose = gone;
        socket.onerror = gone;
        socket.onmessage = ({ data }) => {
            const heard = JSON.parse(data);
            if (heard.t === kind) {
                resolve(heard);
            }
            else if (heard.t === "error") {
                reject(new Refused(heard.code, heard.why, "", heard.id));
            }
        };
    });
    return answered.finally(() => socket.close());
}
