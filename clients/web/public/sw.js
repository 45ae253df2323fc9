// The service worker of the page. It keeps the files of the page, so that the page opens without a network and says so.
// Responses of the API never pass through it.
const CACHE = "skerry-page-1";
const SHELL = "/";
/** The statuses with which a proxy answers for a server that it cannot reach. */
const DOWN = new Set([502, 503, 504]);

addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.add(SHELL)).then(skipWaiting)));

addEventListener("activate", (event) => event.waitUntil(removeOthers().then(() => clients.claim())));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate" && (pathname === SHELL || /^\/(sessions|ladders|tournaments)\b/.test(pathname))) event.respondWith(screen(request));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openScreen(event.notification.data));
});

async function removeOthers() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
}

/** Returns the cache, or nothing if the browser refuses one: the network then answers alone. */
function opened() {
  return caches.open(CACHE).catch(() => undefined);
}

/** Returns a file whose name has a hash of its content: once known, it never changes. */
async function asset(request) {
  const cache = await opened();
  const known = await cache?.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await cache?.put(request, response.clone()).catch(() => undefined); // The storage can be full.
  return response;
}

/** Returns the page from the server. Without a network, or from a proxy whose server is down, the known one. All screens are one file. */
async function screen(request) {
  const cache = await opened();
  try {
    const response = await fetch(request);
    if (DOWN.has(response.status)) return (await cache?.match(SHELL)) ?? response;
    // The page of a session has its title and its picture, which are kept for no other.
    if (response.ok && new URL(request.url).pathname === SHELL && cache) {
      await keep(cache, response.clone()).catch(() => undefined);
    }
    return response;
  } catch (error) {
    const known = await cache?.match(SHELL);
    if (known) return known;
    throw error;
  }
}

/** Keeps a new page. The files of the previous build are removed. */
async function keep(cache, response) {
  const [before, after] = await Promise.all([cache.match(SHELL).then((known) => known?.text()), response.clone().text()]);
  if (assetsOf(before) !== assetsOf(after)) {
    for (const request of await cache.keys()) if (new URL(request.url).pathname !== SHELL) await cache.delete(request);
  }
  await cache.put(SHELL, response);
}

function assetsOf(page = "") {
  return page.match(/\/assets\/[^"]+/g)?.join();
}

async function openScreen(path) {
  const windows = await clients.matchAll({ type: "window" });
  const known = windows.find(({ url }) => new URL(url).pathname === path);
  await (known ? known.focus() : clients.openWindow(path));
}
