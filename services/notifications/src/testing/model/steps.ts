import { preferenceToggles } from '@corner/contracts';
import fc from 'fast-check';

/** All have a mail address and a number for texts; ada and zed also have a phone for pushes. Zed alone is erased. */
export const people = ['ada', 'bea', 'zed'] as const;
export type Person = (typeof people)[number];

const who = fc.constantFrom(...people, 'zed' as const);
const occasions = ['voucher', 'stamp', 'order', 'membership', 'class', 'missed', 'reminder'] as const;
const callers = fc.constantFrom(1, 1, 1, 2);

/**
 * Each step has its weight and its random fields: `link` takes one of three apps, which may be another customer's until then; `addPass`
 * registers a phone for the first listed pass; `eventAgain` repeats an event by its index counted back from the latest; `unsubscribe` uses
 * the link of a mail; `turn` is a call in the queue, which goes by text to one without a push; `text` is sent by the customer; `fail` is a provider's next fault at an address of the customer.
 */
const stepKinds = {
  prefer: [
    6,
    { who, toggle: fc.constantFrom(...preferenceToggles, 'messagesMuted' as const, 'messagesMuted' as const), on: fc.boolean(), callers },
  ],
  marketing: [2, { who, by: fc.constantFrom('question', 'preferences'), yes: fc.boolean(), callers }],
  link: [2, { who, app: fc.nat({ max: 2 }), callers }],
  unlink: [1, { who }],
  addPass: [2, { who }],
  event: [7, { who, about: fc.constantFrom(...occasions), late: fc.boolean() }],
  eventAgain: [2, { back: fc.nat({ max: 9 }) }],
  turn: [5, { who }],
  text: [4, { who, word: fc.constantFrom('STOP', 'START', 'Yes') }],
  write: [5, { who }],
  campaign: [2, {}],
  unsubscribe: [2, { who, callers }],
  fail: [3, { who, at: fc.constantFrom('fcm', 'smtp'), how: fc.constantFrom('unavailable', 'refused', 'hang_up', 'hang_up_after') }],
  snapshot: [2, { who, version: fc.integer({ min: 2, max: 9 }), hasPhone: fc.boolean() }],
  erase: [2, { sequence: fc.integer({ min: 1, max: 2 }) }],
  finishErasures: [1, {}],
} as const;

type StepKinds = typeof stepKinds;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
export type Step = { [K in keyof StepKinds]: { readonly do: K } & Generated<StepKinds[K][1]> }[keyof StepKinds];
export type StepOf<K extends Step['do']> = Extract<Step, { do: K }>;

export interface Round {
  readonly steps: readonly Step[];
  readonly seconds: number;
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
        steps: fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }),
        seconds: fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 5 }) }, { weight: 2, arbitrary: fc.integer({ min: 10, max: 20_000 }) }),
      },
      { noNullPrototype: true },
    ),
    { minLength: 8, maxLength: longest, size: 'max' },
  );
