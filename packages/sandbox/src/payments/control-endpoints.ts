import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { askedByForeignPage } from '../http/origins.ts';
import type { PaymentControls } from './controls.ts';
import { faultKinds } from './faults.ts';
import { StripeRefusal } from './refusal.ts';

const milliseconds = z.number().min(0).max(600_000);

const Webhook = z.strictObject({
  url: z.url(),
  secrets: z.array(z.string().min(1)).min(1),
  events: z.array(z.string()).optional(),
});
const Delivery = z.strictObject({
  hold: z.boolean().optional(),
  dropPercent: z.number().min(0).max(100).optional(),
  duplicates: z.number().int().min(0).max(100).optional(),
  reverse: z.boolean().optional(),
  lose: z.array(z.string()).optional(),
  delayMs: milliseconds.optional(),
  jitterMs: milliseconds.optional(),
  seed: z.number().int().optional(),
});
const FaultBody = z.strictObject({
  how: z.enum(faultKinds),
  method: z.enum(['GET', 'POST']).optional(),
  path: z.string().optional(),
  times: z.number().int().min(1).optional(),
});
const NewAccount = z.strictObject({
  account: z.string().regex(/^acct_\w+$/),
  charges: z.boolean().optional(),
  payouts: z.boolean().optional(),
  transfers: z.union([z.boolean(), z.literal('pending')]).optional(),
});
const reason = z.string().optional();
const disabledReasons = ['requirements.past_due', 'requirements.pending_verification', 'under_review', 'rejected.other'] as const;

type Operations = Readonly<Record<string, (body: unknown) => unknown>>;

const on =
  <S extends z.ZodType>(schema: S, run: (given: z.output<S>) => unknown): Operations[string] =>
  (body) =>
    run(schema.parse(body));

const wireOperations = (controls: PaymentControls): Operations => ({
  webhook: on(Webhook.nullable(), (endpoint) => controls.webhook(endpoint)),
  delivery: on(Delivery, (change) => controls.delivery(withoutGaps(change))),
  flush: on(z.strictObject({ order: z.enum(['as_made', 'reversed', 'shuffled']).optional() }), async ({ order }) => ({
    flushed: await controls.flush(order),
  })),
  discard: () => ({ discarded: controls.discard() }),
  resend: on(z.strictObject({ event: z.string() }), async ({ event }) => ({ arrived: await controls.resend(event) })),
  settled: () => controls.settled(),
  latency: on(z.strictObject({ milliseconds }), (given) => controls.latency(given.milliseconds)),
  'fail-next': on(FaultBody, (fault) => controls.failNext(fault)),
  'clear-faults': () => controls.clearFaults(),
  advance: on(z.strictObject({ milliseconds: z.number().min(0) }), (given) => controls.advance(given.milliseconds)),
});

const paymentOperations = (controls: PaymentControls): Operations => ({
  'settle-intent': on(
    z.strictObject({ payment_intent: z.string(), outcome: z.enum(['succeeded', 'failed']) }),
    ({ payment_intent, outcome }) => {
      const { client_secret: _secret, ...intent } = controls.settleIntent(payment_intent, outcome);
      return intent;
    },
  ),
  'settle-refund': on(z.strictObject({ refund: z.string() }), ({ refund }) => controls.settleRefund(refund)),
  'fail-refund': on(z.strictObject({ refund: z.string(), reason }), (given) => controls.failRefund(given.refund, given.reason)),
  'dashboard-refund': on(z.strictObject({ payment_intent: z.string(), amount: z.number().int().optional() }), (given) =>
    controls.dashboardRefund(given.payment_intent, given.amount),
  ),
  'open-dispute': on(
    z.strictObject({ payment_intent: z.string(), reason, amount: z.number().int().optional(), inquiry: z.boolean().optional() }),
    ({ payment_intent, ...given }) => controls.openDispute(payment_intent, given),
  ),
  'close-dispute': on(
    z.strictObject({ dispute: z.string(), outcome: z.enum(['won', 'lost', 'warning_closed']), feeReturned: z.boolean().optional() }),
    ({ dispute, outcome, feeReturned }) => controls.closeDispute(dispute, outcome, withoutGaps({ feeReturned })),
  ),
  'set-dispute': on(
    z.strictObject({ dispute: z.string(), status: z.string(), money: z.enum(['withdrawn', 'returned']).optional() }),
    ({ dispute, status, money }) => controls.setDispute(dispute, status, money),
  ),
  'fail-late': on(z.strictObject({ payment_intent: z.string() }), ({ payment_intent }) => {
    const { client_secret: _secret, ...intent } = controls.failLate(payment_intent);
    return intent;
  }),
  'escalate-inquiry': on(z.strictObject({ dispute: z.string() }), ({ dispute }) => controls.escalateInquiry(dispute)),
});

const accountOperations = (controls: PaymentControls): Operations => ({
  'restrict-account': on(z.strictObject({ account: z.string(), reason: z.enum(disabledReasons).optional() }), (given) =>
    controls.restrictAccount(given.account, given.reason),
  ),
  'restore-account': on(z.strictObject({ account: z.string() }), ({ account }) => controls.restoreAccount(account)),
  'top-up': on(z.strictObject({ amount: z.number().int().min(1), currency: z.string().optional() }), ({ amount, currency }) =>
    controls.topUp(amount, currency),
  ),
  'pay-out': on(
    z.strictObject({
      account: z.string().nullable(),
      currency: z.string().optional(),
      arrives_in_days: z.number().int().min(0).optional(),
    }),
    ({ account, currency, arrives_in_days }) => controls.payOut(account, currency, arrives_in_days),
  ),
  'settle-payout': on(z.strictObject({ payout: z.string(), outcome: z.enum(['paid', 'failed']) }), ({ payout, outcome }) =>
    controls.settlePayout(payout, outcome),
  ),
  'fail-domains': on(z.strictObject({ fail: z.boolean() }), ({ fail }) => controls.failDomains(fail)),
  'register-account': on(NewAccount, ({ account, ...can }) => controls.registerAccount(account, withoutGaps(can))),
});

export function createControlEndpoints(controls: PaymentControls) {
  const known: Operations = { ...wireOperations(controls), ...paymentOperations(controls), ...accountOperations(controls) };
  return async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (askedByForeignPage(request.headers)) {
      return send(response, 403, { error: { message: 'A page of another origin may not use the controls.' } });
    }
    const name = new URL(request.url ?? '/', 'http://payments').pathname.replace('/_sim/', '');
    const body = await text(request);
    try {
      if (request.method === 'GET' && name === 'books') return send(response, 200, controls.books());
      if (request.method === 'GET' && name === 'livez') return send(response, 200, { ok: true });
      const operation = request.method === 'POST' && Object.hasOwn(known, name) ? known[name] : undefined;
      if (!operation)
        return send(response, 404, { error: { message: `Known are GET books, GET livez, and POST ${Object.keys(known).join(', ')}.` } });
      send(response, 200, (await operation(body === '' ? {} : JSON.parse(body))) ?? { ok: true });
    } catch (error) {
      if (error instanceof StripeRefusal) return send(response, error.status, error.body());
      if (error instanceof z.ZodError) return send(response, 400, { error: { message: z.prettifyError(error) } });
      if (error instanceof SyntaxError) return send(response, 400, { error: { message: 'The body must be JSON.' } });
      throw error;
    }
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

type WithoutGaps<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const withoutGaps = <T extends object>(given: T): WithoutGaps<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as WithoutGaps<T>;

export async function registerAccounts(paymentsUrl: string, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) {
    const response = await fetch(`${paymentsUrl}/_sim/register-account`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`the payment simulator did not accept the account ${account}: ${await response.text()}`);
  }
}
