import { isDeepStrictEqual } from 'node:util';
import { type Books, reckon, type Statement } from './books.ts';
import { settleIntent } from './confirm-intent.ts';
import { closeDispute, openDispute } from './disputes.ts';
import type { Fault, Faults } from './faults.ts';
import { createRefund } from './refunds.ts';
import { noSuch } from './refusal.ts';
import { failRefund, succeedRefund } from './settle-refund.ts';
import type { Account, Dispute, Intent, Refund } from './stripe-shapes.ts';
import type { FlushOrder, Travel } from './travel.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { Webhooks } from './webhooks.ts';
import { type Change, noCause, seconds, type World } from './world.ts';

/** What a test or a demonstration can do to the provider and its network. Each is also a POST under `/_sim/`. */
export interface PaymentControls {
  /** Sets the address that receives events from now on; null sends them nowhere. */
  webhook(endpoint: WebhookEndpoint | null): void;
  /** Changes how events are delivered; absent fields stay as they are. Returns the settings that are now in force. */
  delivery(travel: Partial<Travel>): Travel;
  /** Sends the events that are held, in the given order, each attempted once before the next. Returns how many there were. */
  flush(order?: FlushOrder): Promise<number>;
  /** Loses the events that are held; a caller can still list them. Returns how many there were. */
  discard(): number;
  /** Sets how many seconds pass until a search finds a new object; 60 at the start. Lists find it at once. */
  searchLag(seconds: number): void;
  /** Sends an event again, however often it was sent before. Returns whether it got a 2xx response. */
  resend(eventId: string): Promise<boolean>;
  /** Resolves when no event is being sent. */
  settled(): Promise<void>;
  /** Sets how long a response takes from now on, in milliseconds. */
  latency(milliseconds: number): void;
  /** Makes coming requests fail; see {@link Fault}. */
  failNext(fault: Fault): void;
  /** Removes the faults that have not occurred yet. */
  clearFaults(): void;
  /** Ends an intent in `processing` or `requires_action`. */
  settleIntent(id: string, outcome: 'succeeded' | 'failed'): Intent;
  /** Makes a pending refund succeed. */
  settleRefund(id: string): Refund;
  /** Makes a pending or succeeded refund fail, with one of Stripe's failure reasons. */
  failRefund(id: string, reason?: string): Refund;
  /** Makes a refund as in the provider's dashboard: of all that is left, or of `amount` in minor units. */
  dashboardRefund(paymentIntent: string, amount?: number): Refund;
  /** Opens a dispute of what an intent took. */
  openDispute(paymentIntent: string, reason?: string): Dispute;
  closeDispute(id: string, outcome: 'won' | 'lost'): Dispute;
  /** Registers a connected account, or changes its capabilities; a change emits `account.updated`. */
  registerAccount(id: string, can?: { charges?: boolean; payouts?: boolean; transfers?: boolean }): Account;
  /** Returns everything that happened, without any secret. */
  books(): Statement;
}

interface ControlOptions {
  readonly world: World;
  readonly change: Change;
  readonly books: Books;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly setLatency: (milliseconds: number) => void;
}

export function createControls({ world, change, books, webhooks, faults, setLatency }: ControlOptions): PaymentControls {
  const act = <T>(work: () => T): T => change(noCause, work);
  return {
    webhook: (endpoint) => webhooks.address(endpoint ?? undefined),
    delivery: (travel) => webhooks.travel(travel),
    flush: (order) => webhooks.flush(order),
    discard: () => webhooks.discard(),
    searchLag: (lag) => world.lagSearch(lag),
    async resend(eventId) {
      const event = books.get('event', eventId);
      if (!event) throw noSuch('event', eventId, 'id');
      return webhooks.resend(event);
    },
    settled: () => webhooks.settled(),
    latency: setLatency,
    failNext: (fault) => faults.plan(fault),
    clearFaults: () => faults.clear(),
    settleIntent: (id, outcome) => act(() => settleIntent(world, id, outcome)),
    settleRefund: (id) => act(() => succeedRefund(world, id)),
    failRefund: (id, reason = 'expired_or_canceled_card') => act(() => failRefund(world, id, reason)),
    dashboardRefund: (paymentIntent, amount) =>
      act(() => {
        const form = { payment_intent: paymentIntent, ...(amount === undefined ? {} : { amount: String(amount) }) };
        return createRefund({ ids: [], form, key: 'secret', stripeVersion: undefined, account: null }, world);
      }),
    openDispute: (paymentIntent, reason = 'fraudulent') =>
      act(() => {
        const intent = books.get('payment_intent', paymentIntent);
        if (!intent) throw noSuch('payment_intent', paymentIntent, 'payment_intent');
        return openDispute(world, intent.latest_charge ?? '', reason);
      }),
    closeDispute: (id, outcome) => act(() => closeDispute(world, id, outcome)),
    registerAccount: (id, can) => act(() => registerAccount(world, id, can)),
    books: () => reckon(books),
  };
}

function registerAccount(world: World, id: string, can: { charges?: boolean; payouts?: boolean; transfers?: boolean } = {}): Account {
  const known = world.books.get('account', id);
  const account: Account = {
    id,
    object: 'account',
    capabilities: {
      card_payments: (can.charges ?? known?.charges_enabled ?? true) ? 'active' : 'inactive',
      transfers: (can.transfers ?? known?.capabilities.transfers !== 'inactive') ? 'active' : 'inactive',
    },
    charges_enabled: can.charges ?? known?.charges_enabled ?? true,
    country: 'GB',
    created: known?.created ?? seconds(world.now()),
    default_currency: 'gbp',
    details_submitted: true,
    email: null,
    payouts_enabled: can.payouts ?? known?.payouts_enabled ?? true,
    type: 'express',
  };
  if (isDeepStrictEqual(account, known)) return account;
  world.books.put(account);
  if (known) world.publish('account.updated', account, { account: id });
  return account;
}
