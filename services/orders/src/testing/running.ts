import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createLog, type RunningService, startService } from '@corner/chassis';
import { type DataInputOf, directoryMenu, directorySlots, directoryStore } from '@corner/contracts';
import { type Exchanges, type RunningPayments, startPayments } from '@corner/sandbox/payments';
import { fixedClock, startTestService, type TestService } from '@corner/testkit';
import { readOrdersConfig } from '../config.ts';
import { type OrdersContext, ordersService } from '../service.ts';
import { writeStore } from '../shop/tables/projections.ts';
import { saveMenu, saveSlots } from '../shop/transactions.ts';

export const publicBaseUrl = 'http://gateway.corner.example.com';
export const webhookSecrets = ['whsec_this', 'whsec_next'] as const;

export interface OpenStore {
  readonly id: string;
  readonly code: string;
  readonly account: string;
}

export interface Running extends TestService<RunningService<OrdersContext>> {
  readonly payments: RunningPayments;
  connectWebhook(): void;
  openStore(
    store?: Partial<DataInputOf<typeof directoryStore>>,
    items?: MenuItems,
    slots?: StoreSlots,
    promos?: Promos,
  ): Promise<OpenStore>;
}

type MenuItems = DataInputOf<typeof directoryMenu>['items'];
type Promos = NonNullable<DataInputOf<typeof directoryMenu>['promos']>;
type StoreSlots = DataInputOf<typeof directorySlots>['slots'];

export const menu: MenuItems = [
  { id: 'flat-white', name: 'Flat white', price_pence: 350, prep_minutes: 5 },
  { id: 'croissant', name: 'Croissant', price_pence: 290, prep_minutes: 2 },
  { id: 'last-cake', name: 'The last cake', price_pence: 500, prep_minutes: 1, stock: 1 },
  { id: 'sold-out', name: 'Yesterday’s soup', price_pence: 450, available: false },
  { id: 'sample', name: 'A taste', price_pence: 0 },
  { id: 'sweet', name: 'A sweet', price_pence: 10 },
];

/**
 * Starts the service on its own database, broker and payment provider. Its clock is held at the time the test began, because the
 * database's own clock stamps created_at. The provider sends no events until {@link Running.connectWebhook}. `observe` receives the
 * exchanges between the service and the provider.
 */
export async function startRunning(observe?: Exchanges['observe']): Promise<Running> {
  const clock = fixedClock(new Date().toISOString());
  const payments = await startPayments({ now: clock.now, settleAfterMs: null, ...(observe && { observe }) });
  const running = await startTestService({
    name: 'orders',
    clock,
    createLog,
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_corner',
      STRIPE_API_BASE: payments.url,
      STRIPE_WEBHOOK_SECRETS: webhookSecrets.join(','),
      // A response may take long on a busy machine; no test waits for a lost request.
      STRIPE_TIMEOUT_MS: '60000',
      PUBLIC_BASE_URL: publicBaseUrl,
      CONSOLE_URL: 'https://console.example.com',
      BOOK_SIGNING_KEYS: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
    },
    start: (environment, defaults) => {
      const config = readOrdersConfig(environment);
      return startService(ordersService(config), config, defaults);
    },
  });
  const { service } = running;
  return {
    ...running,
    payments,
    connectWebhook: () => payments.controls.webhook({ url: `${service.url}/webhooks/stripe`, secrets: [webhookSecrets[0]] }),
    async openStore(store = {}, items = menu, slots = [], promos = []) {
      const id = store.id ?? randomUUID();
      const account = `acct_${id.replaceAll('-', '')}`;
      payments.controls.registerAccount(account);
      const snapshot = { id, version: 1, code: 'S1', name: 'Corner Coffee', connected_account_id: account, fee_bps: 500, ...store };
      await service.database.transaction(async (tx) => {
        await writeStore(tx, directoryStore.data.parse(snapshot));
        await saveMenu(tx, directoryMenu.data.parse({ version: 1, store_id: id, items, promos }));
        await saveSlots(tx, directorySlots.data.parse({ version: 1, store_id: id, slots }));
      });
      return { id, code: snapshot.code, account };
    },
    async [Symbol.asyncDispose]() {
      payments.controls.webhook(null);
      await payments.controls.settled();
      try {
        await running[Symbol.asyncDispose]();
      } finally {
        await payments.stop();
      }
    },
  };
}
