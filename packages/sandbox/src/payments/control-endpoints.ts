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
const reason = z.string().optional();
const disabledReasons = ['requirements.past_due', 'requirements.pending_verification', 'under_review', 'rejected.other'] as const;

/** The operations by name: how each reads its body, and what it does. */
const operations = (controls: PaymentControls): Readonly<Record<string, (body: unknown) => unknown>> => ({
  webhook: (body) => controls.webhook(Webhook.nullable().parse(body)),
  delivery: (body) => controls.delivery(withoutGaps(Delivery.parse(body))),
  flush: async (body) => ({
    flushed: await controls.flush(z.strictObject({ order: z.enum(['as_made', 'reversed', 'shuffled']).optional() }).parse(body).order),
  }),
  discard: () => ({ discarded: controls.discard() }),
  'search-lag': (body) => controls.searchLag(z.strictObject({ seconds: z.number().min(0) }).parse(body).seconds),
  resend: async (body) => ({ arrived: await controls.resend(z.strictObject({ event: z.string() }).parse(body).event) }),
  settled: () => controls.settled(),
  latency: (body) => controls.latency(z.strictObject({ milliseconds }).parse(body).milliseconds),
  'fail-next': (body) => controls.failNext(FaultBody.parse(body)),
  'clear-faults': () => controls.clearFaults(),
  'settle-intent': (body) => {
    const { payment_intent, outcome } = z
      .strictObject({ payment_intent: z.string(), outcome: z.enum(['succeeded', 'failed']) })
      .parse(body);
    const { client_secret: _secret, ...intent } = controls.settleIntent(payment_intent, outcome);
    return intent;
  },
  'settle-refund': (body) => controls.settleRefund(z.strictObject({ refund: z.string() }).parse(body).refund),
  'fail-refund': (body) => {
    const given = z.strictObject({ refund: z.string(), reason }).parse(body);
    return controls.failRefund(given.refund, given.reason);
  },
  'dashboard-refund': (body) => {
    const given = z.strictObject({ payment_intent: z.string(), amount: z.number().int().optional() }).parse(body);
    return controls.dashboardRefund(given.payment_intent, given.amount);
  },
  'open-dispute': (body) => {
    const { payment_intent, ...given } = z
      .strictObject({ payment_intent: z.string(), reason, amount: z.number().int().optional(), inquiry: z.boolean().optional() })
      .parse(body);
    return controls.openDispute(payment_intent, given);
  },
  'close-dispute': (body) => {
    const outcome = z.enum(['won', 'lost', 'warning_closed']);
    const { dispute, ...given } = z.strictObject({ dispute: z.string(), outcome, feeReturned: z.boolean().optional() }).parse(body);
    return controls.closeDispute(dispute, given.outcome, withoutGaps({ feeReturned: given.feeReturned }));
  },
  'escalate-inquiry': (body) => controls.escalateInquiry(z.strictObject({ dispute: z.string() }).parse(body).dispute),
  'restrict-account': (body) => {
    const given = z.strictObject({ account: z.string(), reason: z.enum(disabledReasons).optional() }).parse(body);
    return controls.restrictAccount(given.account, given.reason);
  },
  'restore-account': (body) => controls.restoreAccount(z.strictObject({ account: z.string() }).parse(body).account),
  'top-up': (body) => {
    const given = z.strictObject({ amount: z.number().int().min(1), currency: z.string().optional() }).parse(body);
    return controls.topUp(given.amount, given.currency);
  },
  'pay-out': (body) => {
    const given = z.strictObject({ account: z.string().nullable(), currency: z.string().optional() }).parse(body);
    return controls.payOut(given.account, given.currency);
  },
  advance: (body) => controls.advance(z.strictObject({ milliseconds: z.number().min(0) }).parse(body).milliseconds),
  'register-account': (body) => {
    const transfers = z.union([z.boolean(), z.literal('pending')]).optional();
    const can = { charges: z.boolean().optional(), payouts: z.boolean().optional(), transfers };
    const { account, ...given } = z.strictObject({ account: z.string().regex(/^acct_\w+$/), ...can }).parse(body);
    return controls.registerAccount(account, withoutGaps(given));
  },
});

/**
 * Serves `GET /_sim/books` and each operation as `POST /_sim/<operation>` with a JSON body. They need no key: only this machine can
 * reach them, and a page of another origin in its browser is refused.
 */
export function createControlEndpoints(controls: PaymentControls) {
  const known = operations(controls);
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

/** Leaves out absent fields, so that they change nothing. */
const withoutGaps = <T extends object>(given: T): WithoutGaps<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as WithoutGaps<T>;
