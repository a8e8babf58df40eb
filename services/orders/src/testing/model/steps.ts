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
/** Units of a line; null in a step for an amount. */
const line = fc.record({ position: fc.integer({ min: 1, max: 2 }), quantity: fc.integer({ min: 1, max: 3 }), restock: fc.boolean() });
/** How many callers do it at once to the same order: a double tap, a second device, a colleague. */
const callers = fc.constantFrom(1, 1, 2, 3);
const slot = fc.nat({ max: 2 });

/** What callers and the world can do, each with its weight. */
const actions = {
  /** Places an order; with `paid` the customer pays and confirms it at once. */
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
  /** An order is set to preparing before it is set to ready. One that is cancelled may be refunded with it. */
  advance: [6, { order, to: fc.constantFrom(...fulfilments), refund: fc.boolean(), callers }],
  setStatus: [3, { order, to: fc.constantFrom(...statuses), refund: fc.boolean(), callers }],
  /** A customer cancels the own order. */
  cancelOwn: [3, { order, callers }],
  /** Two hours pass, and orders end that were not collected in time. */
  endOverdue: [1, {}],
  /** A manager takes back a status that was set by mistake. */
  correct: [3, { order, to: fc.constantFrom(...corrections), callers }],
  collectEarlier: [4, { order, slot, callers }],
  expireOverdue: [1, {}],
  reconcile: [1, {}],
  /** The customer pays and confirms while staff cancel the order. */
  cancelWhilePaying: [2, { order, card: fc.constantFrom(...cards), axis: fc.constantFrom('status', 'fulfilment') }],
  /** A refund that was accepted fails later. */
  failRefund: [2, { order }],
  /** The platform refunds in the provider's dashboard. */
  dashboardRefund: [2, { order, pence }],
  /** The customer's bank disputes a payment, or only asks about it. */
  dispute: [3, { order, inquiry: fc.constantFrom(false, false, true) }],
  /** The bank decides the dispute of an order, or makes one of an inquiry. */
  decide: [3, { order, outcome: fc.constantFrom('won', 'lost') }],
  /** The bank decides about a slow payment. */
  settleIntent: [1, { order, outcome: fc.constantFrom('succeeded', 'failed') }],
  /** Staff mark an item as sold out, or end that. */
  soldOut: [2, { item: fc.constantFrom(...items), soldOut: fc.constantFrom('until_closing', 'until_changed', 'no', 'no'), callers }],
  /** Staff say how many of an item are left; null lets the directory's stock count. */
  left: [3, { item: fc.constantFrom(...items), left: fc.option(fc.nat({ max: 5 }), { freq: 3 }), callers }],
  /** Staff pause the store, or take orders again. */
  pause: [1, { paused: fc.constantFrom(true, false, false), minutes: fc.option(fc.integer({ min: 1, max: 60 })), callers }],
  /** The provider restricts the store's account, or ends the restriction. */
  account: [1, { restricted: fc.constantFrom(true, false, false) }],
  /** The webhooks that were not delivered yet never are. */
  loseWebhooks: [1, {}],
  /** The third customer is erased, and a snapshot of theirs comes late. */
  erase: [1, {}],
  profile: [1, { version: fc.integer({ min: 1, max: 9 }) }],
  /** Reads the provider's list of events, and its accounts. */
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
/** One action of a caller or of the world. */
export type Step = { [D in keyof Actions]: { readonly do: D } & Generated<Actions[D][1]> }[keyof Actions];
export type StepOf<D extends Step['do']> = Extract<Step, { do: D }>;

type Named<D> = fc.Arbitrary<Extract<Step, { do: D }>>;
const actionOf = <D extends Step['do']>(name: D): Named<D> =>
  fc.record({ do: fc.constant(name), ...(actions[name][1] as object) }, { noNullPrototype: true }) as fc.Arbitrary<unknown> as Named<D>;
const named = Object.keys(actions) as Step['do'][];

const step: fc.Arbitrary<Step> = fc.oneof(...named.map((name) => ({ weight: actions[name][0], arbitrary: actionOf(name) })));
/** Most orders of a morning are paid; a call to the provider may fail already then. */
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
