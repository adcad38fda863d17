// The service worker: shows what the server pushes; a press opens the match, or the own matches. There is nothing else in it.
// Each message lists all waiting moves anew, so that it replaces the one before and alerts again.
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
