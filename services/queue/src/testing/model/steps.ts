import fc from 'fast-check';

/** An entry is chosen by its index among the entries joined so far, counted back from the latest, modulo their number. */
const entry = fc.nat({ max: 7 });
const callers = fc.constantFrom(1, 1, 1, 2, 3);
const chair = fc.option(fc.nat({ max: 2 }), { nil: null, freq: 3 });

const staffMoves = ['call', 'recall', 'assign', 'complete', 'no-show', 'convert', 'reopen'] as const;

/** Who joins, for what. The first four callers are customers, the others are guests. */
const joiner = { caller: fc.nat({ max: 7 }), party: fc.constantFrom(1, 1, 1, 2, 3), service: fc.constantFrom('cut', 'beard', null), chair };

/**
 * Weight and random fields of each step. `joinAsRead` comes after the others of its round, by a caller who has read the queue at that
 * instant; `add` is by staff; `leave` is by the entry's owner or another customer; `book` begins `from` minutes from now; `erase` erases
 * the fourth customer, and a snapshot of theirs comes late.
 */
const stepKinds = {
  join: [5, { ...joiner, callers }],
  joinAsRead: [3, joiner],
  add: [2, { party: fc.constantFrom(1, 1, 2), chair, callers }],
  switchWalkIns: [1, { open: fc.boolean(), minutes: fc.integer({ min: 1, max: 30 }), callers }],
  log: [1, {}],
  leave: [2, { entry, byOther: fc.boolean(), callers }],
  look: [2, { entry }],
  list: [1, {}],
  move: [9, { entry, move: fc.constantFrom(...staffMoves, 'call', 'assign', 'assign', 'complete', 'reopen'), chair, callers }],
  book: [1, { chair: fc.nat({ max: 2 }), from: fc.nat({ max: 90 }), minutes: fc.integer({ min: 5, max: 60 }) }],
  endOverdue: [1, {}],
  erase: [1, {}],
  profile: [1, { version: fc.integer({ min: 1, max: 9 }) }],
} as const;

type StepKinds = typeof stepKinds;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
export type Step = { [K in keyof StepKinds]: { readonly do: K } & Generated<StepKinds[K][1]> }[keyof StepKinds];
export type StepOf<K extends Step['do']> = Extract<Step, { do: K }>;

/** The steps run at the same time; `minutes` pass before the next round. */
export interface Round {
  readonly steps: readonly Step[];
  readonly minutes: number;
}

const step = fc.oneof(
  ...Object.entries(stepKinds).map(([kind, [weight, fields]]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(kind), ...(fields as object) }, { noNullPrototype: true }),
  })),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

export const rounds = (longest: number): fc.Arbitrary<Round[]> =>
  fc.array(
    fc.record(
      {
        steps: fc.array(step, { minLength: 1, maxLength: 5, size: 'max' }),
        minutes: fc.oneof({ weight: 8, arbitrary: fc.nat({ max: 9 }) }, { weight: 1, arbitrary: fc.integer({ min: 10, max: 200 }) }),
      },
      { noNullPrototype: true },
    ),
    { minLength: 3, maxLength: longest, size: 'max' },
  );
