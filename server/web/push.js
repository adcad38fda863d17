// The service worker: shows what the server pushes; a press opens the match, or one's own matches. If the browser has renewed
// its subscription, the server is told of the new one. There is nothing else in it.
// Each message lists all moves that wait: it takes the place of the one before, and calls again.
globalThis.addEventListener("push", event => {
	const { title, body, match: data = "" } = event.data.json();
	const shown = { body, icon: "/icon.svg", tag: "herald", renotify: true, data };
	event.waitUntil(globalThis.registration.showNotification(title, shown));
});
globalThis.addEventListener("notificationclick", event => {
	const { data } = event.notification;
	event.notification.close();
	event.waitUntil(globalThis.clients.openWindow(data ? `/me#match=${data}` : "/me"));
});

/** Sends a message, and gives the server's answer. */
const answered = message =>
	new Promise((resolve, reject) => {
		const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`, "herald.v1+json");
		socket.onopen = () => socket.send(JSON.stringify(message));
		socket.onmessage = ({ data }) => {
			resolve(JSON.parse(data));
			socket.close();
		};
		socket.onclose = reject;
	});

/** Has the server push to the subscription that the browser has now. The page of the account kept the former one. */
async function follow() {
	const cache = await caches.open("herald");
	const former = await (await cache.match("/push"))?.json();
	if (!former) {
		return;
	}
	const { key } = former;
	const { pushManager: pushes } = globalThis.registration;
	const options = { userVisibleOnly: true, applicationServerKey: key };
	const { endpoint, keys } = ((await pushes.getSubscription()) ?? (await pushes.subscribe(options))).toJSON();
	if (endpoint !== former.endpoint) {
		const fresh = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
		const { t } = await answered({ t: "renew-push", former: former.endpoint, secret: former.auth, ...fresh });
		if (t === "done") {
			await cache.put("/push", Response.json({ endpoint, auth: keys.auth, key }));
		}
	}
}
for (const occasion of ["pushsubscriptionchange", "message"]) {
	globalThis.addEventListener(occasion, event => event.waitUntil(follow().catch(() => null)));
}
