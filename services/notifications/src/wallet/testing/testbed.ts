import { randomBytes, randomUUID } from 'node:crypto';
import {
  directoryProgramme,
  directoryStore,
  type Envelope,
  type EventContract,
  type StampData,
  stampApproved,
  type VoucherData,
  voucherMinted,
} from '@corner/contracts';
import { type RunningMessages, startMessages, walletEnvironment } from '@corner/sandbox';
import { envelopeOf, type FixedClock, fixedClock, testFolder } from '@corner/testkit';
import type { z } from 'zod';
import { gatewayBefore } from '../../../../gateway/src/testing/gateway.ts';
import { type Running, startRunning } from '../../testing/running.ts';
import { tellWallets } from '../jobs/push-pass-updates.ts';

/** The service and the far sides of its wallets behind a gateway, on a clock that stands still. */
export interface Phones extends AsyncDisposable {
  readonly running: Running;
  readonly messages: RunningMessages;
  readonly clock: FixedClock;
  /** Base address of the gateway. */
  readonly gateway: string;
  /** Folder of the run's certificates. */
  readonly folder: string;
  /** A customer of a store of their own, whose goal is four stamps. */
  guest(): Promise<Guest>;
  /** Lets the service be told, in this order, and waits until it has worked everything through. */
  publish(...envelopes: readonly Envelope[]): Promise<void>;
  /** Lets seconds pass, and whoever tells wallets look. */
  pass(seconds: number): Promise<void>;
  /** A request through the gateway; an address as customers are given it is asked of this gateway. */
  call(method: string, address: string, headers?: Record<string, string>, body?: unknown): Promise<Response>;
}

export interface Guest {
  readonly customerId: string;
  readonly storeId: string;
  /** The customer’s passes at the store, as the operation shows them. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as a caller would
  passes(): Promise<any[]>;
  stamp(sequence: number, count: number, event?: EventContract<typeof StampData>): Envelope;
  voucher(sequence: number, voucherId: string, event?: EventContract<typeof VoucherData>): Envelope;
}

/** Where the gateway is told to be reached. */
export const baseUrl = 'https://shop.example';

export async function startPhones(settings: (messages: RunningMessages) => Record<string, string> = () => ({})): Promise<Phones> {
  const clock = fixedClock('2026-06-01T12:00:00Z');
  await using started = new AsyncDisposableStack();
  const { path: folder } = started.use(await testFolder());
  const messages = started.use(await startMessages({ folder, now: clock.now }));
  const env = {
    ...messages.environment,
    ...walletEnvironment({ folder, name: '127.0.0.1', ports: messages.ports }, baseUrl),
    ...settings(messages),
  };
  const running = started.use(await startRunning({ now: clock.now }, env));
  const gateway = started.use(await gatewayBefore({ url: running.service.url }));
  const parts = started.move();

  const publish: Phones['publish'] = async (...envelopes) => {
    for (const envelope of envelopes) {
      await running.publish(envelope);
      await running.processed(envelope);
    }
  };
  const call: Phones['call'] = (method, address, headers = {}, body) =>
    fetch(address.replace(baseUrl, '').replace(/^\//, `${gateway.url}/`), {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });

  return {
    running,
    messages,
    clock,
    gateway: gateway.url,
    folder,
    publish,
    call,
    async pass(seconds) {
      clock.advance({ seconds });
      await tellWallets(running.service.context);
    },
    async guest() {
      const [customerId, storeId] = [randomUUID(), randomUUID()];
      await publish(storeSnapshot(storeId, 1), programmeSnapshot(storeId, 1, 4));
      const about = { aggregateId: `${storeId}:${customerId}`, storeId, customerId };
      const ids = { store_id: storeId, customer_id: customerId, order_id: null };
      const token = await running.issuer.token({ typ: 'customer', sub: customerId });
      return {
        customerId,
        storeId,
        async passes() {
          const address = `/api/v1/notifications/wallet/passes?store_id=${storeId}`;
          const answer = await call('GET', address, { Authorization: `Bearer ${token}` });
          if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
          return ((await answer.json()) as { passes: object[] }).passes;
        },
        stamp(sequence, stamp_count, event = stampApproved) {
          const data: z.input<typeof StampData> = { ...ids, stamp_id: randomUUID(), source: 'hub', stamp_count, goal: 4 };
          return envelopeOf(event, data, { ...about, sequence });
        },
        voucher: (sequence, voucher_id, event = voucherMinted) =>
          envelopeOf(event, { ...ids, voucher_id, reward_title: 'A free flat white', code_tail: 'AB12' }, { ...about, sequence }),
      };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** A store’s snapshot; `shown` is what its passes wear. */
export const storeSnapshot = (id: string, version: number, name = 'Bea’s Bakery', background = '#f4e3c1'): Envelope =>
  envelopeOf(
    directoryStore,
    { id, version, code: 'S1', name, branding: { background_color: background } },
    { aggregateId: id, sequence: version, storeId: id },
  );

export const programmeSnapshot = (storeId: string, version: number, goal: number): Envelope =>
  envelopeOf(
    directoryProgramme,
    { store_id: storeId, version, goal, reward_title: 'A free flat white' },
    { aggregateId: storeId, sequence: version, storeId },
  );

/** A phone as Apple’s web service knows it. */
export const aPhone = () => ({ deviceId: randomBytes(16).toString('hex'), pushToken: randomBytes(32).toString('hex') });
