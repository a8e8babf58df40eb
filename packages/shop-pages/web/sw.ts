import { readPush } from './session/push-message.ts';

declare const BUILT: { readonly version: string; readonly files: readonly string[] };

const worker = self as unknown as Worker;
const shell = `shell-${BUILT.version}`;

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(shell)
      .then((cache) => cache.addAll([...BUILT.files]))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOldFiles().then(() => worker.clients.claim()));
});

/** An open page may still load a file of the previous version, so that one stays until the next. */
async function forgetOldFiles(): Promise<void> {
  const shells = (await caches.keys()).filter((name) => name.startsWith('shell-'));
  await Promise.all(
    shells
      .filter((name) => name !== shell)
      .slice(0, -1)
      .map((name) => caches.delete(name)),
  );
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(openPage(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(fromCacheFirst(request));
});

async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match('/')) ?? Response.error();
  }
}

/** The name of such a file holds the hash of its content. */
const fromCacheFirst = async (request: Request): Promise<Response> => (await caches.match(request)) ?? (await fetch(request));

worker.addEventListener('push', (event) => {
  const message = readPush(event.data?.text(), location.origin);
  if (!message) return;
  const { title, body, tag, url, message_id } = message;
  const options = { body, icon: '/icon-192.png', badge: '/badge-96.png', data: { url, message_id }, ...(tag ? { tag } : {}) };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show((event.notification.data as { readonly url?: string | null } | null)?.url ?? '/'));
});

async function show(url: string): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window' });
  if (!open) return void (await worker.clients.openWindow(url));
  await open.focus();
  await open.navigate(url);
}

/** The types of a service worker's global scope conflict with those of a page. */
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: Extended) => void): void;
  addEventListener(
    type: 'fetch',
    listener: (event: { readonly request: Request; respondWith(response: Promise<Response>): void }) => void,
  ): void;
  addEventListener(type: 'push', listener: (event: Extended & { readonly data: { text(): string } | null }) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Extended & { readonly notification: Notification }) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { readonly type: 'window' }): Promise<readonly Client[]>;
    openWindow(url: string): Promise<unknown>;
  };
}
interface Extended {
  waitUntil(done: Promise<unknown>): void;
}
interface Client {
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}
