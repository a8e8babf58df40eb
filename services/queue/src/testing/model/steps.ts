import fc from 'fast-check';

/** An entry is named by its place among those a caller was told of, counted back from the latest, round and round. */
const entry = fc.nat({ max: 7 });
/** So many do it at the same moment: a second tap, a second phone, a colleague. */
const callers = fc.constantFrom(1, 1, 1, 2, 3);
const chair = fc.option(fc.nat({ max: 2 }), { nil: null, freq: 3 });

/** What the staff can do to an entry. */
export const staffMoves = ['call', 'recall', 'assign', 'complete', 'no-show', 'convert'] as const;

/** What somebody can do, each with how often it is done. */
const deeds = {
  /** The first four are customers, whoever comes after them is a guest. */
  join: [
    6,
    { who: fc.nat({ max: 7 }), party: fc.constantFrom(1, 1, 1, 2, 3), service: fc.constantFrom('cut', 'beard', null), chair, callers },
  ],
  /** By its owner, or by somebody who is not. */
  leave: [2, { entry, stranger: fc.boolean(), callers }],
  look: [2, { entry }],
  list: [1, {}],
  move: [9, { entry, move: fc.constantFrom(...staffMoves, 'call', 'assign', 'assign', 'complete'), chair, callers }],
  /** A booking of the diary, from so many minutes on. */
  book: [1, { chair: fc.nat({ max: 2 }), from: fc.nat({ max: 90 }), minutes: fc.integer({ min: 5, max: 60 }) }],
  sweep: [1, {}],
} as const;

type Deeds = typeof deeds;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
/** One thing somebody does. */
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

/** A day's rounds: mostly minutes apart, now and then hours. */
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
