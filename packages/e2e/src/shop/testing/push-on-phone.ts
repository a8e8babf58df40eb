import type { Message, MessageControls } from '@corner/sandbox/messages';
import { until } from '@corner/testkit';
import type { Page } from 'puppeteer-core';
import type { TestEnvironment } from '../../testing/test-environment.ts';

type Subscription = ReturnType<MessageControls['subscribeBrowser']>;

export interface PushOnPhone {
  pushes(): Promise<readonly Message[]>;
  deliver(push: Message): Promise<readonly string[]>;
}

/**
 * Subscribes a page to Web Push at the simulator instead of the browser maker's push service, which a test cannot reach: the keys are real.
 * A headless browser blocks notifications, so the permission and the notification are replaced too. Reload the page afterwards.
 */
export async function allowPush(page: Page, { system }: TestEnvironment): Promise<PushOnPhone> {
  let subscription: Subscription | undefined;
  const { origin } = new URL(page.url());
  await page.exposeFunction('subscribeAtSimulator', async (applicationServerKey: string) => {
    const init = { method: 'POST', body: JSON.stringify({ applicationServerKey }) };
    subscription = (await (await fetch(`${system.messagesUrl}/_sim/subscribe-browser`, init)).json()) as Subscription;
    return subscription;
  });
  await page.evaluateOnNewDocument(`
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    let current = null;
    PushManager.prototype.getSubscription = async () => current;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const json = await subscribeAtSimulator(applicationServerKey);
      const key = Uint8Array.from(atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
      current = { ...json, options: { applicationServerKey: key.buffer }, toJSON: () => json, unsubscribe: async () => { current = null; return true; } };
      return current;
    };
  `);
  const session = await page.createCDPSession();
  const registrations = new Set<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: updated }) => {
    for (const { registrationId, isDeleted } of updated) if (!isDeleted) registrations.add(registrationId);
  });
  await session.send('ServiceWorker.enable');
  return {
    async pushes() {
      if (!subscription) return [];
      const reply = await fetch(`${system.messagesUrl}/inbox.json?to=${encodeURIComponent(subscription.endpoint)}`);
      return (await reply.json()) as readonly Message[];
    },
    async deliver({ title, text, data: more }) {
      const target = await page.browserContext().waitForTarget((one) => one.type() === 'service_worker');
      const worker = await target.worker();
      await worker?.evaluate(`
        self.shown = [];
        ServiceWorkerRegistration.prototype.showNotification = async (title) => void self.shown.push(title);
      `);
      const data = JSON.stringify({ ...more, title, body: text });
      for (const registrationId of registrations) await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      return await until(async () => (await worker?.evaluate('self.shown[0] && self.shown')) as readonly string[] | undefined, {
        describe: 'the notification',
      });
    },
  };
}
