// One thing said to a server over a connection of its own, and its answer.
import { socketAt } from "./connection.js";
import { Closed, Refused } from "./errors.js";
/** Says one thing and takes its answer; `url`: of the server's socket, that of the page unless it is given. Rejects with `Refused` or `Closed`. */
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
