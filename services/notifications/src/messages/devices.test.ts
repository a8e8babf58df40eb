// covers: linkDevice, listDevices, unlinkDevice, readWebPushKey
import { createECDH, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRunning } from '../testing/running.ts';
import { orderEvents } from './testing/events.ts';
import { customerSnapshot, type Guest, type Messaging, startMessaging } from './testing/messaging.ts';

let messaging: Messaging;

beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(async () => {
  await messaging[Symbol.asyncDispose]();
});

async function call(customerId: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, { running } = messaging) {
  const token = await running.issuer.token({ typ: 'customer', sub: customerId });
  const response = await fetch(`${running.service.url}/api/v1/notifications/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read the body as a client would
  return { status: response.status, body: (await response.json()) as any };
}
const link = (customerId: string, device: object) => call(customerId, 'POST', 'devices', device);
const linked = async (customerId: string, device: object): Promise<string> => (await link(customerId, device)).body.device_id;
const list = async (customerId: string) => (await call(customerId, 'GET', 'devices')).body.devices;
const unlink = (customerId: string, id: string) => call(customerId, 'DELETE', `devices/${id}`);

const app = () => ({ platform: 'android', token: `token-${randomUUID()}` });
const browser = () => {
  const key = messaging.settings.WEB_PUSH_PUBLIC_KEY ?? '';
  return { platform: 'web', subscription: messaging.sandbox.controls.subscribeBrowser(key) };
};
const endpointOf = ({ subscription }: ReturnType<typeof browser>) => subscription.endpoint;
const receivedAt = (address: string) => messaging.sandbox.inbox.to(address);

const guest = (): Promise<Guest> => messaging.guest({ email: null, devices: [] });

async function orderIsReady(to: Guest, like?: Parameters<Messaging['messagesOf']>[1]) {
  const ready = orderEvents(to).moved('ready');
  await messaging.publish(ready);
  return await messaging.messagesOf(ready, like);
}

describe('linkDevice', () => {
  test('links a device once: the same address again returns the same id, and keeps its name', async () => {
    const [ada, device] = [randomUUID(), app()];
    const ids = await Promise.all(
      [
        { ...device, name: 'My phone' },
        { ...device, name: 'My phone' },
      ].map((same) => linked(ada, same)),
    );
    ids.push(await linked(ada, device));
    expect(new Set(ids).size).toBe(1);
    const linked_at = messaging.clock.now().toISOString().replace('.000Z', '.000000Z');
    expect(await list(ada)).toEqual([{ device_id: ids[0], platform: 'android', name: 'My phone', linked_at }]);
  });

  test('a device that another customer links is theirs, under the name they give it', async () => {
    const [ada, bea, device] = [await guest(), await guest(), browser()];
    const id = await linked(ada.customerId, { ...device, name: 'Ada’s laptop' });
    expect(await linked(bea.customerId, device)).toBe(id);
    expect(await list(ada.customerId)).toEqual([]);
    expect(await list(bea.customerId)).toEqual([expect.objectContaining({ device_id: id, platform: 'web', name: null })]);
    await orderIsReady(ada);
    expect(receivedAt(endpointOf(device))).toEqual([]);
  });

  test('an eleventh device takes the place of the one that was linked longest ago', async () => {
    const [ada, first, second] = [randomUUID(), app(), app()];
    const firstId = await linked(ada, first);
    for (const device of [second, ...Array.from({ length: 8 }, app)]) await linked(ada, device);
    messaging.clock.advance({ seconds: 1 });
    await linked(ada, first);
    messaging.clock.advance({ seconds: 1 });
    const last = await linked(ada, app());
    const ids = (await list(ada)).map(({ device_id }: { device_id: string }) => device_id);
    expect([ids.length, ids[0], ids[1]]).toEqual([10, last, firstId]);
  });

  test.each([
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com:8443/fcm/send/x',
    'https://fcm.googleapis.com.example.com/x',
    'https://push.apple.com/x',
    'https://user@fcm.googleapis.com/x',
    'https://169.254.169.254/latest/meta-data',
    'http://localhost:8080/x',
    'file:///etc/passwd',
    'no address',
  ])('refuses the endpoint %s, and repeats it nowhere', async (endpoint) => {
    const { keys } = browser().subscription;
    const { status, body } = await link(randomUUID(), { platform: 'web', subscription: { endpoint, keys } });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain('body.subscription.endpoint');
    expect(JSON.stringify([body, messaging.running.lines])).not.toContain(endpoint);
  });

  test('refuses keys that no browser has', async () => {
    const { endpoint, keys } = browser().subscription;
    const offCurve = createECDH('prime256v1').generateKeys().fill(7, 1).toString('base64url');
    for (const wrong of [{ p256dh: offCurve }, { auth: 'short' }]) {
      const { body } = await link(randomUUID(), { platform: 'web', subscription: { endpoint, keys: { ...keys, ...wrong } } });
      expect(body.error).toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringContaining(`keys.${Object.keys(wrong)[0]}`) });
    }
  });

  test('a merchant is refused with WRONG_TOKEN_TYPE', async () => {
    const token = await messaging.running.issuer.token({ typ: 'merchant' });
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${messaging.running.service.url}/api/v1/notifications/devices`, { headers });
    expect(response.status).toBe(403);
  });
});

describe('unlinkDevice', () => {
  test('nothing is sent to the device any more; a repeat and another customer’s device change nothing', async () => {
    const [ada, device] = [await guest(), browser()];
    const id = await linked(ada.customerId, device);
    expect((await unlink(randomUUID(), id)).status).toBe(200);
    expect(await list(ada.customerId)).toHaveLength(1);
    for (let times = 0; times < 2; times += 1) expect(await unlink(ada.customerId, id)).toEqual({ status: 200, body: { device_id: id } });
    expect(await orderIsReady(ada)).toEqual([expect.objectContaining({ state: 'muted', reason: 'unreachable' })]);
    expect(receivedAt(endpointOf(device))).toEqual([]);
  });
});

describe('a message', () => {
  test('goes to the devices of the directory and to those that were linked, to each once', async () => {
    const [both, browserOfAda] = [app(), browser()];
    const ada = await messaging.guest({ devices: [{ id: both.token, platform: 'android' }] });
    await linked(ada.customerId, both);
    await linked(ada.customerId, browserOfAda);
    await orderIsReady(ada);
    expect(receivedAt(both.token)).toEqual([expect.objectContaining({ by: 'fcm', title: 'Order S1-1001 is ready' })]);
    const [pushed, ...more] = receivedAt(endpointOf(browserOfAda));
    expect(more).toEqual([]);
    expect(pushed).toMatchObject({ by: 'web-push', title: 'Order S1-1001 is ready', data: { url: null, tag: pushed?.collapseKey } });
    expect(pushed?.headers).toEqual({ ttl: expect.stringMatching(/^\d+$/), urgency: 'high', topic: expect.stringMatching(/^[\w-]{32}$/) });
  });

  test('reaches the linked device of a customer whom the directory does not know', async () => {
    const [ada, device] = [{ ...(await guest()), customerId: randomUUID() }, browser()];
    await linked(ada.customerId, device);
    expect(await orderIsReady(ada)).toEqual([expect.objectContaining({ state: 'sent' })]);
    expect(receivedAt(endpointOf(device))).toHaveLength(1);
  });

  test('drops a linked device that its push service no longer knows, and a newer snapshot does not bring it back', async () => {
    const [ada, gone, phone] = [await guest(), browser(), app()];
    for (const device of [gone, phone]) await linked(ada.customerId, device);
    messaging.sandbox.controls.dropDevice(endpointOf(gone));
    expect(await orderIsReady(ada)).toEqual([expect.objectContaining({ state: 'sent' })]);
    await messaging.publish(customerSnapshot(ada.customerId, 2, { email: null, devices: [] }));
    expect(await list(ada.customerId)).toEqual([expect.objectContaining({ platform: 'android' })]);
  });

  test('waits as long as the push service says, and no address or key of a device is in a log', async () => {
    const [ada, device] = [await guest(), browser()];
    await linked(ada.customerId, device);
    messaging.sandbox.controls.fail({ at: 'web-push', how: 'too_many', to: endpointOf(device), retryAfterSeconds: 600 });
    const [waiting] = await orderIsReady(ada, ({ attempts }) => attempts === 1);
    expect(waiting).toMatchObject({ state: 'pending', reason: 'web-push 429' });
    messaging.advance({ seconds: 599 });
    expect(receivedAt(endpointOf(device))).toEqual([]);
    messaging.advance({ seconds: 1 });
    await messaging.sandbox.inbox.until((all) => all.some(({ to }) => to === endpointOf(device)));
    const lines = JSON.stringify(messaging.running.lines);
    for (const secret of [endpointOf(device), device.subscription.keys.auth, messaging.settings.WEB_PUSH_PRIVATE_KEY])
      expect(lines).not.toContain(secret);
  });
});

describe('readWebPushKey', () => {
  test('returns the key to anyone', async () => {
    const response = await fetch(`${messaging.running.service.url}/api/v1/notifications/web-push-key`);
    expect(await response.json()).toEqual({ public_key: messaging.settings.WEB_PUSH_PUBLIC_KEY });
  });

  test('returns null where Web Push is not set up, and a browser cannot be linked', async () => {
    await using running = await startRunning();
    const device = browser();
    const without = { ...messaging, running };
    expect((await call(randomUUID(), 'GET', 'web-push-key', undefined, without)).body).toEqual({ public_key: null });
    expect((await call(randomUUID(), 'POST', 'devices', device, without)).body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('Web Push is not set up'),
    });
  });
});
