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

/** Each control is also a POST under `/_sim/`. A null webhook endpoint sends events nowhere. Amounts are in minor units. */
export interface PaymentControls {
  webhook(endpoint: WebhookEndpoint | null): void;
  /** Absent fields stay as they are. Returns the settings that are now in force. */
  delivery(travel: Partial<Travel>): Travel;
  flush(order?: FlushOrder): Promise<number>;
  discard(): number;
  resend(eventId: string): Promise<boolean>;
  settled(): Promise<void>;
  latency(milliseconds: number): void;
  failNext(fault: Fault): void;
  clearFaults(): void;
  settleIntent(id: string, outcome: 'succeeded' | 'failed'): Intent;
  failLate(id: string): Intent;
  settleRefund(id: string): Refund;
  failRefund(id: string, reason?: string): Refund;
  dashboardRefund(paymentIntent: string, amount?: number): Refund;
  openDispute(paymentIntent: string, options?: DisputeOptions): Dispute;
  escalateInquiry(id: string): Dispute;
  setDispute(id: string, status: string, money?: 'withdrawn' | 'returned'): Dispute;
  closeDispute(id: string, outcome: 'won' | 'lost' | 'warning_closed', options?: { feeReturned?: boolean }): Dispute;
  registerAccount(id: string, change?: AccountChange): Account;
  restrictAccount(id: string, reason?: Requirements['disabled_reason']): Account;
  restoreAccount(id: string): Account;
  failDomains(fail: boolean): void;
  topUp(amount: number, currency?: string): BalanceTransaction;
  /** Null is the platform's account. The payout arrives at once, or after some days. */
  payOut(account: string | null, currency?: string, arrivesInDays?: number): Payout;
  settlePayout(id: string, outcome: 'paid' | 'failed'): Payout;
  /** Signatures of webhooks keep the true time. */
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
