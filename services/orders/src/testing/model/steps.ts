import type { FaultKind } from '@corner/sandbox/payments';
import fc from 'fast-check';

const baskets = ['now', 'collect', 'slot', 'mixed', 'chosen', 'free'] as const;
const cards = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa_chargeDeclined', 'pm_card_processing'] as const;
const fulfilments = ['preparing', 'preparing', 'ready', 'ready', 'collected', 'cancelled'] as const;
const corrections = ['placed', 'accepted', 'preparing', 'ready', 'ready'] as const;
const statuses = ['ready', 'fulfilled', 'cancelled'] as const;
const items = ['cake', 'cream', 'cream', 'croissant', 'flat-white'] as const;
const faults: readonly FaultKind[] = ['error_before', 'error_after', 'lost_before', 'lost_after'];
const faultyPaths = [
  '/v1/customers',
  '/v1/payment_intents',
  '/v1/ephemeral_keys',
  '/v1/refunds',
  '/cancel',
  '/reversals',
  '/v1/transfers',
  '/v1/events',
] as const;

/** An order's position among the known ones, counted back from the latest, modulo their number. */
const order = fc.nat({ max: 5 });
/** An amount in pence; null for all that is left. */
const pence = fc.option(fc.integer({ min: 1, max: 700 }));
/** Units of a line; a null line means an amount. */
const line = fc.record({ position: fc.integer({ min: 1, max: 2 }), quantity: fc.integer({ min: 1, max: 3 }), restock: fc.boolean() });
/** Concurrent callers on the same order: a double tap, a second device, a colleague. */
const callers = fc.constantFrom(1, 1, 2, 3);
const slot = fc.nat({ max: 2 });

/** The weighted actions of callers, of the provider and of the outside world. With `paid` the customer pays and confirms at once. */
const actions = {
  create: [
    8,
    {
      customerIndex: fc.nat({ max: 2 }),
      basket: fc.constantFrom(...baskets),
      slot,
      promo: fc.boolean(),
      voucher: fc.option(fc.nat({ max: 1 }), { freq: 2 }),
      paid: fc.boolean(),
      callers,
    },
  ],
  createAgain: [1, { order }],
  pay: [3, { order, card: fc.constantFrom(...cards) }],
  confirm: [3, { order, callers }],
  webhooks: [2, { reversed: fc.boolean() }],
  /** All callers share one attempt, or with `apart` each has its own. */
  refund: [6, { order, pence, line: fc.option(line, { freq: 2 }), attempt: fc.nat({ max: 2 }), callers, apart: fc.boolean() }],
  /** An order is set to preparing before ready. A cancelled one may be refunded with it. */
  advance: [6, { order, to: fc.constantFrom(...fulfilments), refund: fc.boolean(), callers }],
  setStatus: [3, { order, to: fc.constantFrom(...statuses), refund: fc.boolean(), callers }],
  cancelOwn: [3, { order, callers }],
  endOverdue: [1, {}],
  correct: [3, { order, to: fc.constantFrom(...corrections), callers }],
  collectEarlier: [4, { order, slot, callers }],
  expireOverdue: [1, {}],
  reconcile: [1, {}],
  cancelWhilePaying: [2, { order, card: fc.constantFrom(...cards), axis: fc.constantFrom('status', 'fulfilment') }],
  failRefund: [2, { order }],
  dashboardRefund: [2, { order, pence }],
  dispute: [3, { order, inquiry: fc.constantFrom(false, false, true) }],
  /** The bank decides the dispute of an order, or turns an inquiry into one. */
  decide: [3, { order, outcome: fc.constantFrom('won', 'lost') }],
  settleIntent: [1, { order, outcome: fc.constantFrom('succeeded', 'failed') }],
  soldOut: [2, { item: fc.constantFrom(...items), soldOut: fc.constantFrom('until_closing', 'until_changed', 'no', 'no'), callers }],
  left: [3, { item: fc.constantFrom(...items), left: fc.option(fc.nat({ max: 5 }), { freq: 3 }), callers }],
  pause: [1, { paused: fc.constantFrom(true, false, false), minutes: fc.option(fc.integer({ min: 1, max: 60 })), callers }],
  account: [1, { restricted: fc.constantFrom(true, false, false) }],
  /** Webhooks not delivered yet never are. */
  loseWebhooks: [1, {}],
  /** The third customer is erased, and an old snapshot of theirs arrives late. */
  erase: [1, {}],
  profile: [1, { version: fc.integer({ min: 1, max: 9 }) }],
  readProvider: [1, {}],
  /** Makes some of the next calls to the provider fail; an error may be kept under the call's key for a day. */
  fault: [
    5,
    {
      how: fc.constantFrom(...faults),
      path: fc.constantFrom(...faultyPaths),
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET'),
      times: fc.constantFrom(1, 1, 3),
    },
  ],
} as const;

type Actions = typeof actions;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
export type Step = { [D in keyof Actions]: { readonly do: D } & Generated<Actions[D][1]> }[keyof Actions];
export type StepOf<D extends Step['do']> = Extract<Step, { do: D }>;

type Named<D> = fc.Arbitrary<Extract<Step, { do: D }>>;
const actionOf = <D extends Step['do']>(name: D): Named<D> =>
  fc.record({ do: fc.constant(name), ...(actions[name][1] as object) }, { noNullPrototype: true }) as fc.Arbitrary<unknown> as Named<D>;
const named = Object.keys(actions) as Step['do'][];

const step: fc.Arbitrary<Step> = fc.oneof(...named.map((name) => ({ weight: actions[name][0], arbitrary: actionOf(name) })));
/** Most orders of a morning are paid, but a provider call may already fail then. */
const morning: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: actionOf('create').map((create) => ({ ...create, paid: true })) },
  { weight: 1, arbitrary: actionOf('fault') },
);

/** Rounds of steps. The steps of a round run concurrently; the next round begins when all have ended. */
export const rounds = (longest: number): fc.Arbitrary<Step[][]> => {
  const first = fc.array(morning, { minLength: 3, maxLength: 4, size: 'max' });
  const others = fc.array(fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }), { minLength: 3, maxLength: longest, size: 'max' });
  return fc.tuple(first, first, others).map(([early, later, rest]) => [early, later, ...rest]);
};
