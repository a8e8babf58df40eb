import { type AccountChange, registerAccount, restoreAccount, restrictAccount } from './accounts.ts';
import { payOut, settlePayout, topUp } from './balance.ts';
import { type Books, eventOf, reckon, type Statement } from './books.ts';
import { failLate, settleIntent } from './confirm-intent.ts';
import { closeDispute, type DisputeOptions, escalateInquiry, openDispute, setDispute } from './disputes.ts';
import type { Fault, Faults } from './faults.ts';
import { createRefund } from './refunds.ts';
import { noSuch } from './refusal.ts';
import { failRefund, succeedRefund } from './settle-refund.ts';
import type { Account, BalanceTransaction, Dispute, Intent, Payout, Refund, Requirements } from './stripe-shapes.ts';
import type { FlushOrder, Travel } from './travel.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { Webhooks } from './webhooks.ts';
import { type Change, noCause, type World } from './world.ts';

/** The controls of the provider and its network. Each is also a POST under `/_sim/`. */
export interface PaymentControls {
  /** Sets the address that receives events from now on; null sends them nowhere. */
  webhook(endpoint: WebhookEndpoint | null): void;
  /** Changes how events are delivered; absent fields stay as they are. Returns the settings that are now in force. */
  delivery(travel: Partial<Travel>): Travel;
  /** Sends the events that are held, in the given order, each attempted once before the next. Returns how many there were. */
  flush(order?: FlushOrder): Promise<number>;
  /** Loses the events that are held; a caller can still list them. Returns how many there were. */
  discard(): number;
  /** Sends an event again, however often it was sent before. Returns whether it got a 2xx response. */
  resend(eventId: string): Promise<boolean>;
  /** Resolves when no event is being sent. */
  settled(): Promise<void>;
  latency(milliseconds: number): void;
  failNext(fault: Fault): void;
  clearFaults(): void;
  settleIntent(id: string, outcome: 'succeeded' | 'failed'): Intent;
  /** Makes a payment that succeeded fail days later, as a bank debit can. */
  failLate(id: string): Intent;
  settleRefund(id: string): Refund;
  /** Makes a pending or succeeded refund fail, with one of Stripe's failure reasons. */
  failRefund(id: string, reason?: string): Refund;
  /** Makes a refund as in the provider's dashboard: of all that is left, or of `amount` in minor units. */
  dashboardRefund(paymentIntent: string, amount?: number): Refund;
  /** Opens a dispute of what an intent took, or with `inquiry` only asks about it. */
  openDispute(paymentIntent: string, options?: DisputeOptions): Dispute;
  escalateInquiry(id: string): Dispute;
  /** A dispute gets another status, with its money withdrawn or returned before that, as the provider's own rules decide. */
  setDispute(id: string, status: string, money?: 'withdrawn' | 'returned'): Dispute;
  /** Ends a dispute, or an inquiry with `warning_closed`. With `feeReturned`, a dispute that is won returns the fee too. */
  closeDispute(id: string, outcome: 'won' | 'lost' | 'warning_closed', options?: { feeReturned?: boolean }): Dispute;
  /** Registers a connected account, or changes it; a change emits `account.updated` on that account. */
  registerAccount(id: string, change?: AccountChange): Account;
  /** Disables charges, transfers and payouts of an account: `requirements.past_due` unless another reason is given. */
  restrictAccount(id: string, reason?: Requirements['disabled_reason']): Account;
  restoreAccount(id: string): Account;
  /** Has Apple reach no domain, or reach them again: one that is registered or checked meanwhile is inactive. */
  failDomains(fail: boolean): void;
  topUp(amount: number, currency?: string): BalanceTransaction;
  /** Pays the whole balance of a connected account, or the platform's for null, to its bank: at once, or under way for some days. */
  payOut(account: string | null, currency?: string, arrivesInDays?: number): Payout;
  /** Ends a payout that is under way. */
  settlePayout(id: string, outcome: 'paid' | 'failed'): Payout;
  /** Moves the simulator's clock forward, in milliseconds. Signatures of webhooks keep the true time. */
  advance(milliseconds: number): void;
  books(): Statement;
}

interface ControlOptions {
  readonly world: World;
  readonly change: Change;
  readonly books: Books;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  readonly setLatency: (milliseconds: number) => void;
  readonly advance: (milliseconds: number) => void;
}

export function createControls({ world, change, books, webhooks, faults, setLatency, advance }: ControlOptions): PaymentControls {
  const act = <T>(work: () => T): T => change(noCause, work);
  return {
    webhook: (endpoint) => webhooks.address(endpoint ?? undefined),
    delivery: (travel) => webhooks.travel(travel),
    flush: (order) => webhooks.flush(order),
    discard: () => webhooks.discard(),
    async resend(eventId) {
      const event = eventOf(books, eventId);
      if (!event) throw noSuch('event', eventId, 'id');
      return webhooks.resend(event);
    },
    settled: () => webhooks.settled(),
    latency: setLatency,
    failNext: (fault) => faults.plan(fault),
    clearFaults: () => faults.clear(),
    settleIntent: (id, outcome) => act(() => settleIntent(world, id, outcome)),
    failLate: (id) => act(() => failLate(world, id)),
    settleRefund: (id) => act(() => succeedRefund(world, id)),
    failRefund: (id, reason = 'expired_or_canceled_card') => act(() => failRefund(world, id, reason)),
    dashboardRefund: (paymentIntent, amount) =>
      act(() => {
        const form = { payment_intent: paymentIntent, ...(amount === undefined ? {} : { amount: String(amount) }) };
        return createRefund({ origin: '', ids: [], form, key: 'secret', stripeVersion: undefined, account: null }, world);
      }),
    openDispute: (paymentIntent, options) =>
      act(() => {
        const intent = books.get('payment_intent', paymentIntent);
        if (!intent) throw noSuch('payment_intent', paymentIntent, 'payment_intent');
        return openDispute(world, intent.latest_charge ?? '', options);
      }),
    escalateInquiry: (id) => act(() => escalateInquiry(world, id)),
    setDispute: (id, status, money) => act(() => setDispute(world, id, status, money)),
    closeDispute: (id, outcome, options) => act(() => closeDispute(world, id, outcome, options)),
    registerAccount: (id, change) => act(() => registerAccount(world, id, change)),
    restrictAccount: (id, reason = 'requirements.past_due') => act(() => restrictAccount(world, id, reason)),
    restoreAccount: (id) => act(() => restoreAccount(world, id)),
    failDomains(fail) {
      world.apple.reachesDomains = !fail;
    },
    topUp: (amount, currency = 'gbp') => act(() => topUp(world, amount, currency)),
    payOut: (account, currency = 'gbp', arrivesInDays) => act(() => payOut(world, account, currency, arrivesInDays)),
    settlePayout: (id, outcome) => act(() => settlePayout(world, id, outcome)),
    advance,
    books: () => reckon(books),
  };
}
