// The service worker: shows what the server pushes; a press opens the match, or one's own matches. There is nothing else in it.
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
