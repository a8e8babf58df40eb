import { randomBytes, randomUUID } from 'node:crypto';
import {
  directoryProgramme,
  directoryStore,
  type Envelope,
  type EventContract,
  type RpcInput,
  rpcSubject,
  type StampData,
  stampApproved,
  type VoucherData,
  voucherDetails,
  voucherMinted,
} from '@corner/contracts';
import { startTestGateway } from '@corner/gateway/testing';
import { type RunningMessages, startMessages, walletEnvironment } from '@corner/sandbox/messages';
import { envelopeOf, type FixedClock, fixedClock, testFolder, until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Running, startRunning } from '../../testing/running.ts';
import { pushPassUpdates } from '../jobs.ts';

/**
 * The service behind a gateway, with simulated wallet providers, on a fixed clock. `guest` creates a customer at a store of their own,
 * where a reward takes four stamps. `publish` waits until each event is processed. `advance` also runs the job that pushes pass updates.
 * `call` goes through the gateway, whose address replaces the public base address.
 */
export interface WalletTestbed extends AsyncDisposable {
  readonly running: Running;
  readonly sandbox: RunningMessages;
  readonly clock: FixedClock;
  readonly loyalty: Loyalty;
  readonly gateway: string;
  readonly folder: string;
  guest(): Promise<Guest>;
  publish(...envelopes: readonly Envelope[]): Promise<void>;
  advance(seconds: number): Promise<void>;
  call(method: string, address: string, headers?: Record<string, string>, body?: unknown): Promise<Response>;
}

export interface Guest {
  readonly customerId: string;
  readonly storeId: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read them as a client would
  passes(): Promise<any[]>;
  stamp(sequence: number, count: number, event?: EventContract<typeof StampData>): Envelope;
  voucher(sequence: number, voucherId: string, event?: EventContract<typeof VoucherData>): Envelope;
}

export const baseUrl = 'https://shop.example';

export async function startWalletTestbed(
  settings: (sandbox: RunningMessages) => Record<string, string> = () => ({}),
): Promise<WalletTestbed> {
  const clock = fixedClock('2026-06-01T12:00:00Z');
  await using started = new AsyncDisposableStack();
  const { path: folder } = started.use(await testFolder());
  const sandbox = started.use(await startMessages({ folder, now: clock.now }));
  const env = {
    ...sandbox.environment,
    ...walletEnvironment({ folder, name: '127.0.0.1', ports: sandbox.ports }, baseUrl),
    ...settings(sandbox),
  };
  const running = started.use(await startRunning({ now: clock.now }, env));
  const loyalty = started.use(await startLoyalty(running));
  const gateway = started.use(await startTestGateway({ url: running.service.url }));
  const parts = started.move();

  const publish: WalletTestbed['publish'] = async (...envelopes) => {
    for (const envelope of envelopes) {
      await running.publish(envelope);
      await running.processed(envelope);
    }
  };
  const call: WalletTestbed['call'] = (method, address, headers = {}, body) =>
    fetch(address.replace(baseUrl, '').replace(/^\//, `${gateway.url}/`), {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });

  return {
    running,
    sandbox,
    clock,
    loyalty,
    gateway: gateway.url,
    folder,
    publish,
    call,
    async advance(seconds) {
      clock.advance({ seconds });
      await pushPassUpdates(running.service.context);
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
          const response = await call('GET', address, { Authorization: `Bearer ${token}` });
          if (response.status !== 200) throw new Error(`the response was ${response.status}`);
          return ((await response.json()) as { passes: object[] }).passes;
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

export const newDevice = () => ({ deviceId: randomBytes(16).toString('hex'), pushToken: randomBytes(32).toString('hex') });

const PendingUpdate = z.object({ wallet: z.string(), attempts: z.number(), failed: z.boolean() });

export function pendingUpdatesOf(testbed: () => WalletTestbed) {
  const pendingUpdates = (serial: string) =>
    testbed().running.service.database.any(sql.type(PendingUpdate)`
      select wallet, attempts, failed_at is not null as failed from pass_update where serial = ${serial} order by wallet`);
  return {
    pendingUpdates,
    upToDate: (serial: string) =>
      until(async () => (await pendingUpdates(serial)).length === 0, { describe: 'every wallet is up to date' }),
    attempted: (serial: string, attempts: number) =>
      until(async () => (await pendingUpdates(serial)).some((update) => update.attempts === attempts), {
        describe: `${attempts} attempts`,
      }),
  };
}

export const details = { code: 'K7Q2M9AB12', expires_at: '2026-08-29T22:59:59.000000Z', last_day: '2026-08-29' } as const;

interface Loyalty extends AsyncDisposable {
  readonly calls: RpcInput<typeof voucherDetails>[];
  away: boolean;
}

async function startLoyalty({ service }: Running): Promise<Loyalty> {
  const { broker } = await service.backbone;
  const subscription = broker.connection.subscribe(broker.subject(rpcSubject(voucherDetails)), {
    callback(_error, message) {
      loyalty.calls.push(message.json());
      message.respond(JSON.stringify(loyalty.away ? { problem: 'INTERNAL', message: 'away' } : { output: details }));
    },
  });
  const loyalty: Loyalty = { calls: [], away: false, [Symbol.asyncDispose]: () => subscription.drain() };
  await broker.connection.flush();
  return loyalty;
}
