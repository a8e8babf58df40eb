import fc from 'fast-check';

const nth = fc.nat({ max: 4 });
const who = fc.nat({ max: 2 });
const ahead = fc.constantFrom(1, 2, 4, 13, 100, 101);
const percent = fc.constantFrom(0, 0, 20, 50);

const actions = {
  order: [8, { who, basket: fc.constantFrom('coffee', 'cake', 'both'), voucher: fc.boolean(), paid: fc.constantFrom(true, true, false) }],
  pay: [2, { order: nth, card: fc.constantFrom('pm_card_visa', 'pm_card_visa', 'pm_card_visa_chargeDeclined') }],
  confirm: [2, { order: nth }],
  webhooks: [3, { reversed: fc.boolean() }],
  loseWebhooks: [1, {}],
  refund: [5, { order: nth, pence: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3, nil: null }), attempt: fc.nat({ max: 1 }) }],
  failRefund: [1, { order: nth }],
  dispute: [2, { order: nth }],
  decide: [2, { order: nth, outcome: fc.constantFrom('won', 'lost') }],
  advance: [3, { order: nth, to: fc.constantFrom('preparing', 'ready', 'collected') }],
  cancel: [2, { order: nth, refund: fc.boolean() }],
  cancelOwn: [2, { order: nth }],
  grant: [3, { who }],
  redeem: [2, { who, voucher: fc.nat({ max: 2 }) }],
  join: [3, { who }],
  serve: [3, { entry: nth, how: fc.constantFrom('call', 'assign', 'complete', 'no-show') }],
  leave: [1, { entry: nth }],
  erase: [1, {}],
  deliver: [8, { events: fc.integer({ min: 1, max: 6 }) }],
  job: [
    5,
    {
      job: fc.constantFrom(
        'orders processProviderEvents',
        'orders readProviderEvents',
        'orders reconcilePayments',
        'orders expireUnpaidOrders',
        'orders moveStoreShares',
        'orders finishErasures',
        'loyalty expireVouchers',
        'loyalty finishErasures',
        'queue endOverdue',
        'notifications deliverMessages',
        'directory collectErasures',
      ),
    },
  ],
  crash: [
    3,
    {
      service: fc.constantFrom('orders', 'orders', 'loyalty', 'queue', 'notifications', 'directory'),
      transactions: fc.integer({ min: 1, max: 8 }),
      when: fc.constantFrom('before', 'after'),
    },
  ],
  time: [3, { seconds: fc.constantFrom(1, 5, 30, 600, 3_600) }],
  /** With or without a customer. `open` is paid later, and `late` was sold for cash while the line was down. */
  sell: [
    4,
    {
      who: fc.option(who, { freq: 1, nil: null }),
      basket: fc.constantFrom('coffee', 'cake', 'both'),
      tender: fc.constantFrom('cash', 'external_card', 'open', 'late'),
    },
  ],
  payOpen: [2, { order: nth }],
  book: [6, { who, quarters: ahead }],
  moveBooking: [4, { booking: nth, quarters: ahead }],
  stepBooking: [8, { booking: nth, how: fc.constantFrom('arrive', 'complete', 'no-show', 'reopen', 'cancel', 'cancel') }],
  teach: [2, { quarters: fc.constantFrom(4, 13, 13), places: fc.constantFrom(2, 3) }],
  /** One after the other, so that a class fills and the others wait. */
  joinClass: [8, { taught: fc.constantFrom(0, 0, 1), people: fc.constantFrom([0, 1], [0, 1, 2], [2, 0, 1, 0], [1, 2, 1]) }],
  acceptPlace: [6, { booking: nth }],
  morePlaces: [2, { taught: fc.constantFrom(0, 1) }],
  passPlaces: [4, { minutes: fc.constantFrom(0, 5, 10) }],
  network: [2, { publications: percent, acknowledgements: percent, requests: percent }],
  rewind: [1, { forgotten: fc.nat({ max: 4 }) }],
} as const;

type Actions = typeof actions;
type Generated<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
export type Step = { [D in keyof Actions]: { readonly do: D } & Generated<Actions[D][1]> }[keyof Actions];
export type StepOf<D extends Step['do']> = Extract<Step, { do: D }>;

type Named<D> = fc.Arbitrary<Extract<Step, { do: D }>>;
const actionOf = <D extends Step['do']>(name: D): Named<D> =>
  fc.record({ do: fc.constant(name), ...(actions[name][1] as object) }, { noNullPrototype: true }) as fc.Arbitrary<unknown> as Named<D>;
const names = Object.keys(actions) as Step['do'][];
const oneOf = (some: readonly Step['do'][]): fc.Arbitrary<Step> =>
  fc.oneof(...some.map((name) => ({ weight: actions[name][0], arbitrary: actionOf(name) })));
/** Earlier seeds, without sales at the counter, keep the days by which planted faults were found. */
export const firstSellingSeed = 1_001;
/** From this seed on customers book times and walk in, and few order. */
export const firstBookingSeed = 2_001;
/** From this seed on they also join classes, and wait for a place in a full one. */
export const firstClassSeed = 3_001;
const allBut = (...others: readonly Step['do'][]) => oneOf(names.filter((name) => !others.includes(name)));
const booking = ['book', 'moveBooking', 'stepBooking'] as const;
const classes = ['teach', 'joinClass', 'acceptPlace', 'morePlaces', 'passPlaces'] as const;
const inSalon = [...booking, 'join', 'serve', 'leave', 'erase', 'deliver', 'job', 'crash', 'time', 'network', 'rewind', 'order'] as const;
const stepOf = {
  classes: oneOf([...classes, 'stepBooking', 'stepBooking', 'book', 'erase', 'deliver', 'job', 'crash', 'time', 'network', 'rewind']),
  salon: oneOf(inSalon),
  counter: allBut(...booking, ...classes),
  phones: allBut(...booking, ...classes, 'sell', 'payOpen'),
};
const morning: fc.Arbitrary<Step[]> = actionOf('order').map((order) => [
  { ...order, paid: true },
  { do: 'grant', who: order.who },
]);

const booked: fc.Arbitrary<Step[]> = actionOf('book').map((step) => [step]);

const taught: fc.Arbitrary<Step[]> = actionOf('teach').map((step) => [step]);

const days = (rounds: number, step: fc.Arbitrary<Step>, begin: fc.Arbitrary<Step[]>): fc.Arbitrary<Step[][]> =>
  fc
    .tuple(
      fc.array(begin, { minLength: 2, maxLength: 3, size: 'max' }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 3, size: 'max' }), { minLength: rounds, maxLength: rounds, size: 'max' }),
    )
    .map(([first, rest]) => [first.flat(), ...rest]);

export interface NamedStep {
  readonly name: string;
  readonly step: Step;
}

export type Day = readonly (readonly NamedStep[])[];

export function dayOf(seed: number, rounds: number): Day {
  const ofShop = seed >= firstSellingSeed ? stepOf.counter : stepOf.phones;
  const ofSalon = seed >= firstClassSeed ? days(rounds * 2, stepOf.classes, taught) : days(rounds, stepOf.salon, booked);
  const kind = seed >= firstBookingSeed ? ofSalon : days(rounds, ofShop, morning);
  const [day = []] = fc.sample(kind, { seed, numRuns: 1 });
  return day.map((round, index) => round.map((step, nth) => ({ name: `c${index + 1}.${nth + 1}`, step })));
}
