import { randomBytes as trueRandomBytes } from 'node:crypto';
import { setTimeout as timer } from 'node:timers/promises';
import { allowLocalPages } from '../http/origins.ts';
import { type Place, reportingFaults, serve } from '../http/serve.ts';
import { createAuthenticatePage } from './authenticate-page.ts';
import { openBooks, type Statement } from './books.ts';
import { settleInTime } from './confirm-intent.ts';
import { createControlEndpoints } from './control-endpoints.ts';
import { createControls, type PaymentControls } from './controls.ts';
import { patientRetry, type Retry } from './deliveries.ts';
import { createFaults } from './faults.ts';
import { createHostedPage } from './hosted-page.ts';
import { openJournal } from './journal.ts';
import { settleRefundInTime } from './settle-refund.ts';
import { createStripeApi } from './stripe-api.ts';
import type { Observe } from './stripe-types.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import { createWebhooks } from './webhooks.ts';
import { whole } from './whole.ts';
import { createWorld } from './world.ts';

export interface PaymentsOptions extends Place {
  readonly apiKey?: string;
  readonly webhook?: WebhookEndpoint;
  readonly accounts?: readonly string[];
  readonly stateFile?: string;
  readonly now?: () => Date;
  readonly randomBytes?: (size: number) => Uint8Array;
  readonly settleAfterMs?: number | null;
  readonly retry?: Retry;
  readonly observe?: Observe;
}

export interface RunningPayments extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly controls: PaymentControls;
  books(): Statement;
  stop(): Promise<void>;
}

/** The publishable key is `apiKey` with `pk_` for `sk_`. Rejects when the port is taken or the state file cannot be read. */
export async function startPayments(options: PaymentsOptions = {}): Promise<RunningPayments> {
  const { apiKey = 'sk_test_corner', observe = () => {} } = options;
  const simulation = openSimulation(options);
  const { world, change, faults, controls, halfLatency } = simulation;
  const keys = { secret: apiKey, publishable: apiKey.replace(/^sk_/, 'pk_') };
  const serveStripeApi = createStripeApi({ world, change, keys, faults, halfLatency, report: console.error, observe });
  const serveControls = createControlEndpoints(controls);
  const serveHostedPage = createHostedPage(world, change);
  const serveAuthenticatePage = createAuthenticatePage(world, change);
  const server = await serve(
    options,
    reportingFaults(async (request, response) => {
      if (request.url?.startsWith('/_sim/')) return await serveControls(request, response);
      if (request.url?.startsWith('/setup/')) return await serveHostedPage(request, response);
      if (allowLocalPages(request, response)) return;
      if (request.url?.startsWith('/authenticate/')) return await serveAuthenticatePage(request, response);
      await serveStripeApi(request, response);
    }),
  );

  async function stop(): Promise<void> {
    await Promise.all([server[Symbol.asyncDispose](), simulation.stop()]);
  }
  const { port } = server;
  return { url: `http://127.0.0.1:${port}`, port, controls, books: controls.books, stop, [Symbol.asyncDispose]: stop };
}

function openSimulation(options: PaymentsOptions) {
  const { now: trueNow = () => new Date(), randomBytes = trueRandomBytes, settleAfterMs = 2_000, retry = patientRetry } = options;
  let ahead = 0;
  let latency = 0;
  const stopped = new AbortController();
  const wait = (milliseconds: number) => pause(milliseconds, stopped.signal);

  const journal = options.stateFile === undefined ? undefined : openJournal(options.stateFile);
  const books = openBooks(journal?.kept ?? [], (changes) => journal?.write(changes));
  const webhooks = createWebhooks({ books, now: trueNow, pause, retry });
  const { world, change } = createWorld({
    books,
    now: () => new Date(trueNow().getTime() + ahead),
    randomBytes,
    send(event) {
      options.observe?.({ event: whole(event) });
      webhooks.take(event);
    },
    later: (work) => {
      if (settleAfterMs !== null) void wait(settleAfterMs).then(() => stopped.signal.aborted || work());
    },
  });
  const faults = createFaults();
  const setLatency = (milliseconds: number) => (latency = milliseconds);
  const advance = (milliseconds: number) => (ahead += milliseconds);
  const controls = createControls({ world, change, books, webhooks, faults, setLatency, advance });

  for (const account of options.accounts ?? []) if (!books.get('account', account)) controls.registerAccount(account);
  if (options.webhook) controls.webhook(options.webhook);
  for (const intent of books.all('payment_intent')) if (intent.status === 'processing') settleInTime(world, intent);
  for (const refund of books.all('refund')) settleRefundInTime(world, refund);
  webhooks.resume();

  const halfLatency = async () => void (latency > 0 && (await wait(latency / 2)));
  async function stop(): Promise<void> {
    if (stopped.signal.aborted) return;
    stopped.abort();
    await webhooks.stop();
    journal?.close();
  }
  return { world, change, faults, controls, halfLatency, stop };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await timer(milliseconds, undefined, { signal }).catch(() => {});
}
