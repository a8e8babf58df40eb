import fc from 'fast-check';

/** Things are named by their place among those there are, counted back from the latest, round and round. */
const nth = fc.nat({ max: 5 });
const who = fc.nat({ max: 1 });
/** So many do it at the same moment: a second tap, a second phone, a colleague. */
const callers = fc.constantFrom(1, 1, 1, 2, 3);
const action = fc.constantFrom('approve', 'approve', 'reject');

/** What somebody can do or an order's service can tell, each with how often it is done. */
const deeds = {
  grant: [5, { who, key: fc.option(fc.nat({ max: 3 }), { nil: null }), callers }],
  undo: [2, { who, stamp: nth, callers }],
  review: [2, { stamp: nth, action, door: fc.constantFrom('resolve', 'review'), callers }],
  redeem: [4, { who, voucher: nth, callers }],
  /** An order is placed, with or without a voucher reserved for it. Nothing is told of it yet. */
  order: [7, { who, pence: fc.constantFrom(0, 250, 900), voucher: fc.option(nth, { nil: null }), callers }],
  /** It is paid: the question and the event, in either order or at once. */
  pay: [8, { order: nth, asked: fc.boolean(), told: fc.boolean(), callers }],
  /** Refunded by so many hundredths of it, though the payment may not have been told yet; or told late, behind what comes after. */
  refund: [5, { order: nth, share: fc.constantFrom(40, 100, 100), late: fc.boolean(), callers }],
  refundFails: [3, { order: nth, late: fc.boolean(), callers }],
  /** What was held back arrives. */
  arrive: [3, { event: fc.nat({ max: 5 }) }],
  /** Any event told before comes again, alone or behind others. */
  again: [3, { event: fc.nat({ max: 9 }) }],
  giveUp: [2, { order: nth, how: fc.constantFrom('expired', 'release'), callers }],
  code: [3, { who: fc.nat({ max: 2 }), tap: fc.option(fc.nat({ max: 4 }), { nil: null }), callers }],
  /** By the customer of that number; the third is nobody signed in. */
  redeemCode: [4, { who: fc.nat({ max: 2 }), code: nth, callers }],
  sync: [
    3,
    {
      who,
      receipts: fc.array(fc.record({ id: fc.nat({ max: 5 }), tap: fc.nat({ max: 9 }), hoursAgo: fc.nat({ max: 30 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      callers,
    },
  ],
  ask: [3, { who, stamps: fc.integer({ min: 1, max: 3 }), callers }],
  /** Of the request asked for last by that customer, or whichever waits. */
  vouch: [4, { who, named: fc.boolean(), tap: fc.option(fc.nat({ max: 4 }), { nil: null }), callers }],
  cancel: [2, { who, callers }],
  sweep: [1, {}],
} as const;

type Deeds = typeof deeds;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
/** One thing that is done. */
export type Step = { [D in keyof Deeds]: { readonly do: D } & Generated<Deeds[D][1]> }[keyof Deeds];
export type StepOf<D extends Step['do']> = Extract<Step, { do: D }>;

/** Steps taken at once, and the minutes that pass before the next. */
export interface Round {
  readonly steps: readonly Step[];
  readonly minutes: number;
}

const step = fc.oneof(
  ...Object.entries(deeds).map(([deed, [weight, fields]]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(deed), ...(fields as object) }, { noNullPrototype: true }),
  })),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

/** Rounds of a few days: mostly moments apart, now and then half a day. */
export const rounds = (longest: number): fc.Arbitrary<Round[]> =>
  fc.array(
    fc.record(
      {
        steps: fc.array(step, { minLength: 1, maxLength: 5, size: 'max' }),
        minutes: fc.oneof({ weight: 12, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.constant(720) }),
      },
      { noNullPrototype: true },
    ),
    { minLength: 3, maxLength: longest, size: 'max' },
  );
