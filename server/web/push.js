// The service worker: shows what the server pushes, and opens the page of the own matches. There is nothing else in it.
globalThis.addEventListener("push", event => {
	const { title, body } = event.data.json();
	event.waitUntil(globalThis.registration.showNotification(title, { body, icon: "/icon.svg", tag: "herald" }));
});
globalThis.addEventListener("notificationclick", event => {
	event.notification.close();
	event.waitUntil(globalThis.clients.openWindow("/me"));
});
