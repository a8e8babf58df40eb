import type { FaultKind } from '@corner/sandbox';
import fc from 'fast-check';

const baskets = ['now', 'collect', 'slot', 'mixed', 'free'] as const;
const cards = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa_chargeDeclined'] as const;
const fulfilments = ['preparing', 'preparing', 'ready', 'ready', 'collected', 'cancelled'] as const;
const statuses = ['ready', 'fulfilled', 'cancelled'] as const;
const faults: readonly FaultKind[] = ['error_before', 'error_after', 'lost_before', 'lost_after'];
const faultyPaths = ['/v1/payment_intents', '/v1/refunds', '/cancel'] as const;

/** An order's position among the known ones, counted back from the latest, modulo their number. */
const order = fc.nat({ max: 5 });
/** How many callers do it at once to the same order: a double tap, a second device, a colleague. */
const callers = fc.constantFrom(1, 1, 2, 3);
const slot = fc.nat({ max: 2 });

/** What callers and the world can do, each with its weight. */
const actions = {
  /** Places an order; with `paid` the customer pays and confirms it at once. */
  create: [
    6,
    { customerIndex: fc.nat({ max: 2 }), basket: fc.constantFrom(...baskets), slot, promo: fc.boolean(), paid: fc.boolean(), callers },
  ],
  createAgain: [1, { order }],
  pay: [3, { order, card: fc.constantFrom(...cards) }],
  confirm: [3, { order, callers }],
  webhooks: [2, { reversed: fc.boolean() }],
  /** All callers share one attempt, or with `apart` each has its own. */
  refund: [6, { order, pence: fc.option(fc.integer({ min: 1, max: 700 })), attempt: fc.nat({ max: 2 }), callers, apart: fc.boolean() }],
  /** An order is set to preparing before it is set to ready. */
  advance: [6, { order, to: fc.constantFrom(...fulfilments), callers }],
  setStatus: [3, { order, to: fc.constantFrom(...statuses), callers }],
  collectEarlier: [4, { order, slot, callers }],
  expireOverdue: [1, {}],
  reconcile: [1, {}],
  /** A refund that was accepted fails later. */
  failRefund: [1, { order }],
  /** Makes one of the next calls to the provider fail. */
  fault: [1, { how: fc.constantFrom(...faults), path: fc.constantFrom(...faultyPaths) }],
} as const;

type Actions = typeof actions;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
/** One action of a caller or of the world. */
export type Step = { [D in keyof Actions]: { readonly do: D } & Generated<Actions[D][1]> }[keyof Actions];
export type StepOf<D extends Step['do']> = Extract<Step, { do: D }>;

const step = fc.oneof(
  ...Object.entries(actions).map(([action, [weight, fields]]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(action), ...(fields as object) }, { noNullPrototype: true }),
  })),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

/** Rounds of steps. The steps of a round run concurrently; the next round begins when all have ended. */
export const rounds = (longest: number): fc.Arbitrary<Step[][]> =>
  fc.array(fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }), { minLength: 3, maxLength: longest, size: 'max' });
