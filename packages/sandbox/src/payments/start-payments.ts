import { randomBytes as trueRandomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as timer } from 'node:timers/promises';
import { allowLocalPages } from '../http/origins.ts';
import { openBooks, type Statement } from './books.ts';
import { settleInTime } from './confirm-intent.ts';
import { createControlEndpoints } from './control-endpoints.ts';
import { createControls, type PaymentControls } from './controls.ts';
import { createFaults } from './faults.ts';
import { openJournal } from './journal.ts';
import { settleRefundInTime } from './settle-refund.ts';
import { createStripeApi } from './stripe-api.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import { createWebhooks, patientRetry, type Retry } from './webhooks.ts';
import { createWorld } from './world.ts';

export interface PaymentsOptions {
  /** The platform's secret key. The publishable one is the same with `pk_` for `sk_`. */
  readonly apiKey?: string;
  readonly host?: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** An inherited listening socket, instead of host and port. */
  readonly fd?: number | undefined;
  readonly webhook?: WebhookEndpoint;
  /** Connected accounts that are known from the start. */
  readonly accounts?: readonly string[];
  /** A file that keeps the books across restarts; without it they are in memory only. */
  readonly stateFile?: string;
  readonly now?: () => Date;
  readonly randomBytes?: (size: number) => Uint8Array;
  /** How long slow payments and slow refunds take, in milliseconds; null leaves them to the controls. */
  readonly settleAfterMs?: number | null;
  readonly retry?: Retry;
}

export interface RunningPayments extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly controls: PaymentControls;
  books(): Statement;
  stop(): Promise<void>;
}

/** Starts the payment simulator. Rejects when the port is taken or the state file cannot be read. */
export async function startPayments(options: PaymentsOptions = {}): Promise<RunningPayments> {
  const { apiKey = 'sk_test_corner', host = '127.0.0.1', now: trueNow = () => new Date(), settleAfterMs = 2_000 } = options;
  let ahead = 0;
  const now = () => new Date(trueNow().getTime() + ahead);
  const stopped = new AbortController();
  let latency = 0;

  const journal = options.stateFile === undefined ? undefined : openJournal(options.stateFile);
  const books = openBooks(journal?.kept ?? [], (changes) => journal?.write(changes));
  const webhooks = createWebhooks({ books, now: trueNow, pause, retry: options.retry ?? patientRetry });
  const { world, change } = createWorld({
    books,
    now,
    randomBytes: options.randomBytes ?? trueRandomBytes,
    send: (event) => webhooks.take(event),
    later: (work) => {
      if (settleAfterMs !== null) void pause(settleAfterMs, stopped.signal).then(() => stopped.signal.aborted || work());
    },
  });
  const faults = createFaults();
  const controls = createControls({
    world,
    change,
    books,
    webhooks,
    faults,
    setLatency: (milliseconds) => (latency = milliseconds),
    advance: (milliseconds) => (ahead += milliseconds),
  });

  for (const account of options.accounts ?? []) if (!books.get('account', account)) controls.registerAccount(account);
  if (options.webhook) controls.webhook(options.webhook);
  for (const intent of books.all('payment_intent')) if (intent.status === 'processing') settleInTime(world, intent);
  for (const refund of books.all('refund')) settleRefundInTime(world, refund);
  webhooks.resume();

  const report = (error: unknown): void => console.error(error);
  const serveStripeApi = createStripeApi({
    world,
    change,
    keys: { secret: apiKey, publishable: apiKey.replace(/^sk_/, 'pk_') },
    faults,
    halfLatency: async () => {
      if (latency > 0) await pause(latency / 2, stopped.signal);
    },
    report,
  });
  const serveControls = createControlEndpoints(controls);
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const isControl = request.url?.startsWith('/_sim/') === true;
    if (!isControl && allowLocalPages(request, response)) return;
    const handleRequest = isControl ? serveControls : serveStripeApi;
    handleRequest(request, response).catch((error: unknown) => {
      // A caller that disconnects while sending is not a fault of the simulator.
      if (!request.errored) report(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.fd === undefined ? { port: options.port ?? 0, host } : { fd: options.fd }, resolve),
  );
  const { port } = server.address() as AddressInfo;

  async function stop(): Promise<void> {
    if (stopped.signal.aborted) return;
    stopped.abort();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, webhooks.stop()]);
    journal?.close();
  }
  return { url: `http://127.0.0.1:${port}`, port, controls, books: controls.books, stop, [Symbol.asyncDispose]: stop };
}

/** Resolves after the time, or immediately when aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await timer(milliseconds, undefined, { signal }).catch(() => {});
}
