import type { FaultKind } from '@corner/sandbox';
import fc from 'fast-check';

const baskets = ['now', 'collect', 'slot', 'mixed', 'free'] as const;
const cards = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa_chargeDeclined'] as const;
const fulfilments = ['preparing', 'preparing', 'ready', 'ready', 'collected', 'cancelled'] as const;
const statuses = ['ready', 'fulfilled', 'cancelled'] as const;
const faults: readonly FaultKind[] = ['error_before', 'error_after', 'lost_before', 'lost_after'];
const faultyPaths = ['/v1/payment_intents', '/v1/refunds', '/cancel'] as const;

/** An order is named by its place among those a caller was told of, counted back from the latest, round and round. */
const order = fc.nat({ max: 5 });
/** So many do it at the same moment to the same order: a second tap, a second device, a colleague. */
const callers = fc.constantFrom(1, 1, 2, 3);
const slot = fc.nat({ max: 2 });

/** What somebody can do, each with how often it is done. */
const deeds = {
  /** Places an order; `paid` has the same customer pay and confirm it at once. */
  create: [6, { who: fc.nat({ max: 2 }), basket: fc.constantFrom(...baskets), slot, promo: fc.boolean(), paid: fc.boolean(), callers }],
  createAgain: [1, { order }],
  pay: [3, { order, card: fc.constantFrom(...cards) }],
  confirm: [3, { order, callers }],
  webhooks: [2, { reversed: fc.boolean() }],
  /** Each caller's attempt is the same, or when they are `apart` each one's own. */
  refund: [6, { order, pence: fc.option(fc.integer({ min: 1, max: 700 })), attempt: fc.nat({ max: 2 }), callers, apart: fc.boolean() }],
  /** What is made ready was in preparation before. */
  advance: [6, { order, to: fc.constantFrom(...fulfilments), callers }],
  setStatus: [3, { order, to: fc.constantFrom(...statuses), callers }],
  collectEarlier: [4, { order, slot, callers }],
  lapse: [1, {}],
  reconcile: [1, {}],
  /** A refund that was accepted comes back. */
  failRefund: [1, { order }],
  /** Befalls a coming call of the provider. */
  fault: [1, { how: fc.constantFrom(...faults), path: fc.constantFrom(...faultyPaths) }],
} as const;

type Deeds = typeof deeds;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
/** One thing somebody does. */
export type Step = { [D in keyof Deeds]: { readonly do: D } & Generated<Deeds[D][1]> }[keyof Deeds];
export type StepOf<D extends Step['do']> = Extract<Step, { do: D }>;

const step = fc.oneof(
  ...Object.entries(deeds).map(([deed, [weight, fields]]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(deed), ...(fields as object) }, { noNullPrototype: true }),
  })),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

/** Rounds of steps: the steps of a round are taken at once, the next round begins when all have ended. */
export const rounds = (longest: number): fc.Arbitrary<Step[][]> =>
  fc.array(fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }), { minLength: 3, maxLength: longest, size: 'max' });
