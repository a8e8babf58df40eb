import { randomUUID } from 'node:crypto';
import { createLog, type RunningService, startService } from '@corner/chassis';
import { type DataInputOf, directoryMenu, directorySlots, directoryStore } from '@corner/contracts';
import { type RunningPayments, startPayments } from '@corner/sandbox';
import { type FixedClock, fixedClock, type TestIssuer, testBroker, testDatabase, testIssuer } from '@corner/testkit';
import { createLocalJWKSet } from 'jose';
import { readOrdersConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { ordersService } from '../service.ts';
import { keepMenu, keepStore } from '../tables/directory.ts';
import { keepSlots } from '../tables/slots.ts';

export const webhookSecrets = ['whsec_this', 'whsec_next'] as const;

/** A store that has opened: live, onboarded, always open, with a menu. */
export interface OpenStore {
  readonly id: string;
  readonly code: string;
  readonly account: string;
}

/** Orders at work on a database, a broker and a payment provider of its own, under a clock that stands still. */
export interface Running extends AsyncDisposable {
  readonly service: RunningService<Context>;
  readonly payments: RunningPayments;
  readonly issuer: TestIssuer;
  /** Begins at the time the test began: the database's own clock stamps created_at. */
  readonly clock: FixedClock;
  /** Lines it has logged, as they were written. */
  readonly lines: readonly string[];
  /** Statements it has sent, in order. */
  readonly statements: readonly string[];
  /** Lets the provider tell its events to the service, from now on. */
  tellWebhook(): void;
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

/** Starts the service. The provider tells it nothing until {@link Running.tellWebhook}. */
export async function startRunning(): Promise<Running> {
  const database = await testDatabase('orders');
  const broker = await testBroker();
  const clock = fixedClock(new Date().toISOString());
  const issuer = await testIssuer({ now: clock.now });
  const payments = await startPayments({ now: clock.now, settleAfterMs: null });
  const lines: string[] = [];
  const statements: string[] = [];
  const config = readOrdersConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    NATS_URL: broker.url,
    NATS_NAMESPACE: broker.namespace,
    AUTH_ISSUER: issuer.issuer,
    AUTH_AUDIENCE: issuer.audience,
    AUTH_JWKS_URL: 'http://127.0.0.1:9/unused',
    STRIPE_SECRET_KEY: 'sk_test_corner',
    STRIPE_API_BASE: payments.url,
    STRIPE_WEBHOOK_SECRETS: webhookSecrets.join(','),
  });
  const log = createLog('orders', 'debug', { write: (line: string) => void lines.push(line) });
  const service = await startService(ordersService(config), config, {
    keys: createLocalJWKSet(issuer.jwks),
    log,
    now: clock.now,
    watch: (statement) => void statements.push(statement),
  });
  await service.backbone;
  return {
    service,
    payments,
    issuer,
    clock,
    lines,
    statements,
    tellWebhook: () => payments.controls.webhook({ url: `${service.url}/webhooks/stripe`, secrets: [webhookSecrets[0]] }),
    async openStore(store = {}, items = menu, slots = [], promos = []) {
      const id = store.id ?? randomUUID();
      const account = `acct_${id.replaceAll('-', '')}`;
      payments.controls.registerAccount(account);
      const snapshot = { id, version: 1, code: 'S1', name: 'Corner Coffee', connected_account_id: account, fee_bps: 500, ...store };
      await service.database.transaction(async (tx) => {
        await keepStore(tx, directoryStore.data.parse(snapshot));
        await keepMenu(tx, directoryMenu.data.parse({ version: 1, store_id: id, items, promos }));
        await keepSlots(tx, directorySlots.data.parse({ version: 1, store_id: id, slots }));
      });
      return { id, code: snapshot.code, account };
    },
    async [Symbol.asyncDispose]() {
      payments.controls.webhook(null);
      await payments.controls.settled();
      await service[Symbol.asyncDispose]();
      await payments.stop();
      await broker[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
