import type { CornerClient } from '@corner/client';
import { kept } from '@corner/page-kit/browser/storage';

const name = 'corner.push-device';

/** `none`: this browser cannot receive notifications; `denied`: the customer has blocked them. */
export type PushState = 'on' | 'off' | 'denied' | 'none';

type Client = Pick<CornerClient, 'POST' | 'DELETE'>;

export async function readPush(): Promise<PushState> {
  const worker = await findWorker();
  if (!worker) return 'none';
  if (Notification.permission === 'denied') return 'denied';
  return kept.getItem(name) !== null && (await worker.pushManager.getSubscription()) ? 'on' : 'off';
}

/**
 * Asks for the permission, subscribes and links this browser. Call it in a press. Linking again is harmless. `key` is the platform's key of
 * Web Push; a subscription with another key is replaced.
 */
export async function linkPush(client: Client, key: string): Promise<PushState> {
  const worker = await findWorker();
  if (!worker) return 'none';
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const subscription = await subscribe(worker.pushManager, key);
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  const body = { platform: 'web', subscription: { endpoint, keys: { p256dh, auth } } } as const;
  kept.setItem(name, (await client.POST('/api/v1/notifications/devices', { body })).data.device_id);
  return 'on';
}

async function subscribe(manager: PushManager, key: string): Promise<PushSubscription> {
  const before = await manager.getSubscription();
  if (before && encode(before.options.applicationServerKey) === key) return before;
  await before?.unsubscribe();
  return await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

const encode = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

export async function unlinkPush(client: Client): Promise<PushState> {
  const deviceId = kept.getItem(name);
  if (deviceId === null) return await readPush();
  await client.DELETE('/api/v1/notifications/devices/{device_id}', { params: { path: { device_id: deviceId } } });
  kept.removeItem(name);
  const worker = await findWorker();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  return 'off';
}

async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) return undefined;
  const registered = await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  return registered && (await navigator.serviceWorker.ready);
}
