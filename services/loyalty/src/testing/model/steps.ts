import fc from 'fast-check';

/** Things are chosen by their place in a list, counted back from the newest and wrapped around. */
const nth = fc.nat({ max: 5 });

const who = fc.nat({ max: 1 });

const callers = fc.constantFrom(1, 1, 1, 2, 3);

const device = fc.option(fc.constantFrom('a phone', 'another phone'), { nil: null });

const action = fc.constantFrom('approve', 'approve', 'reject');

/**
 * Every kind of step: how often it is drawn, and its fields. `arrive` and `arriveVisit` publish a late event, `again` one that was
 * published before.
 */
const kinds = {
  grant: [5, { who, key: fc.option(fc.nat({ max: 3 }), { nil: null }), callers }],
  bring: [2, { who, id: fc.nat({ max: 2 }), stamps: fc.integer({ min: 1, max: 2 }), vouchers: fc.nat({ max: 1 }), callers }],
  undo: [2, { who, stamp: nth, callers }],
  review: [2, { stamp: nth, action, operation: fc.constantFrom('resolve', 'review'), callers }],
  redeem: [4, { who, voucher: nth, byCode: fc.boolean(), callers }],
  /** An order is placed, with or without a reserved voucher. Nothing is published yet. */
  order: [7, { who, pence: fc.constantFrom(0, 250, 900), voucher: fc.option(nth, { nil: null }), callers }],
  /** An order is paid: loyalty gets the RPC, the event, or both at the same time. */
  pay: [8, { order: nth, byRpc: fc.boolean(), byEvent: fc.boolean(), callers }],
  /** A percentage of an order is refunded, perhaps before its payment is published. A late event is held back until `arrive`. */
  refund: [5, { order: nth, share: fc.constantFrom(40, 95, 100, 100), late: fc.boolean(), callers }],
  refundFails: [3, { order: nth, late: fc.boolean(), callers }],
  /** One of an order's two disputes is opened or decided, perhaps differently than before, perhaps before its payment is published. */
  dispute: [
    4,
    {
      order: nth,
      which: fc.nat({ max: 1 }),
      state: fc.constantFrom('opened', 'won', 'lost', 'lost'),
      share: fc.constantFrom(30, 60, 100),
      late: fc.boolean(),
      callers,
    },
  ],
  arrive: [3, { event: fc.nat({ max: 5 }) }],
  again: [3, { event: fc.nat({ max: 9 }) }],
  giveUp: [2, { order: nth, how: fc.constantFrom('expired', 'release'), callers }],
  /** A visit is completed, or that is undone, or it is completed again: of a new place, or of one that was visited. */
  serve: [4, { who, place: fc.option(nth, { nil: null }), late: fc.boolean(), callers: fc.constant(1) }],
  arriveVisit: [2, { event: fc.nat({ max: 5 }) }],
  code: [3, { who: fc.nat({ max: 2 }), device, tap: fc.option(fc.nat({ max: 4 }), { nil: null }), callers }],
  /** By the customer with that number; the third is not signed in. */
  redeemCode: [4, { who: fc.nat({ max: 2 }), device, code: nth, callers }],
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
  request: [3, { who, stamps: fc.integer({ min: 1, max: 3 }), callers }],
  confirm: [4, { who, named: fc.boolean(), tap: fc.option(fc.nat({ max: 4 }), { nil: null }), callers }],
  cancel: [2, { who, callers }],
  sweep: [1, {}],
  /** The second customer is erased, and a snapshot of theirs comes late. */
  erase: [1, {}],
  profile: [1, { version: fc.integer({ min: 1, max: 9 }) }],
} as const;

type Kinds = typeof kinds;

type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };

export type Step = { [K in keyof Kinds]: { readonly do: K; readonly at: number } & Generated<Kinds[K][1]> }[keyof Kinds];

export type StepOf<K extends Step['do']> = Extract<Step, { do: K }>;

/** Steps taken at the same time, and the minutes that pass before the next round. */
export interface Round {
  readonly steps: readonly Step[];
  readonly minutes: number;
}

const step = fc.oneof(
  ...Object.entries(kinds).map(([kind, [weight, fields]]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(kind), at: fc.nat({ max: 2 }), ...(fields as object) }, { noNullPrototype: true }),
  })),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

/** Generates rounds that are mostly moments apart, and sometimes half a day. */
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
