import type { ObjectKind, Role } from '@corner/contracts';
import fc from 'fast-check';
import { type CustomerStep, customerStep } from './customers.ts';

const index = (max: number) => fc.nat({ max });
const time = fc.constantFrom('00:00', '01:30', '08:00', '09:15', '12:00', '17:30', '22:00');
const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 });
const span = { days, from: time, to: time };

/** Ids of entries of lists, a few, so that they are changed, removed and added again; and of people and tags, new ones in each history. */
const guid = (kind: number, n: number) => `0190a000-0000-7000-8000-${String(kind).padStart(8, '0')}${String(n).padStart(4, '0')}`;

/**
 * A request as a step sends it: its object, the least role that may send it, and the path below the store. `shows`: where the reply shows
 * the value that was set, and that value.
 */
export interface Wanted {
  readonly kind: ObjectKind;
  readonly role: Exclude<Role, 'staff'>;
  readonly path: string;
  readonly method?: 'POST';
  readonly body: object;
  readonly shows?: readonly [path: readonly (string | number)[], value: unknown];
}

/** Ids of promo codes and slots, which no other store may have. */
const ownId = (kind: number, n: number, { history, shop }: Moment) => guid(kind, (history * 2 + shop) * 10 + n);
const personOf = (n: number, { history }: Moment) => guid(1, history * 10 + n);
const tagOf = (n: number, { history }: Moment) => `04${String(history * 10 + n).padStart(12, '0')}`;

/** When a step is taken, in epoch milliseconds, and where: the numbers of the history and of the shop in it. */
export interface Moment {
  readonly at: number;
  readonly history: number;
  readonly shop: number;
}

const stepKinds = {
  price: step(4, { item: index(3), pence: fc.integer({ min: 0, max: 2_000 }) }, ({ item, pence }) => ({
    kind: 'menu',
    role: 'manager',
    path: '/menu',
    body: { items: [{ id: `item-${item}`, name: `Item ${item}`, price_pence: pence }] },
    shows: [['menu', 'items', `item-${item}`, 'price_pence'], pence],
  })),
  withdraw: step(1, { item: index(3) }, ({ item }) => ({
    kind: 'menu',
    role: 'manager',
    path: '/menu',
    body: { remove: [`item-${item}`] },
    shows: [['menu', 'items', `item-${item}`], undefined],
  })),
  promo: step(
    2,
    { code: index(2), percent: fc.integer({ min: 1, max: 100 }), active: fc.boolean() },
    ({ code, percent, active }, moment) => ({
      kind: 'menu',
      role: 'manager',
      path: '/menu',
      body: { promos: [{ id: ownId(2, code, moment), code: `PROMO${code}`, kind: 'percent', value: percent, active }] },
      shows: [['menu', 'promos', ownId(2, code, moment), 'value'], percent],
    }),
  ),
  template: step(
    4,
    { rows: fc.array(fc.record({ ...span, every_minutes: fc.constantFrom(15, 60, 90), capacity: index(9) }), { maxLength: 2 }) },
    ({ rows }) => ({ kind: 'slots', role: 'manager', path: '/slots', body: { template: rows }, shows: [['slots', 'template'], rows] }),
  ),
  dated: step(2, { slot: index(3), hours: index(200), open: fc.boolean() }, ({ slot, hours, open }, moment) => ({
    kind: 'slots',
    role: 'manager',
    path: '/slots',
    body: { slots: [{ id: ownId(3, slot, moment), starts_at: iso(moment.at, hours), ends_at: iso(moment.at, hours + 2), open }] },
    shows: [['slots', 'slots', ownId(3, slot, moment), 'open'], open],
  })),
  undated: step(1, { slot: index(3) }, ({ slot }, moment) => ({
    kind: 'slots',
    role: 'manager',
    path: '/slots',
    body: { remove: [ownId(3, slot, moment)] },
  })),
  closure: step(
    3,
    { hours: index(300), lasts: fc.integer({ min: 1, max: 100 }), none: fc.boolean() },
    ({ hours, lasts, none }, { at }) => ({
      kind: 'store',
      role: 'manager',
      path: '',
      body: { closures: none ? [] : [{ starts_at: iso(at, hours), ends_at: iso(at, hours + lasts) }] },
    }),
  ),
  zone: step(1, { zone: fc.constantFrom('Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu') }, ({ zone }) => ({
    kind: 'store',
    role: 'owner',
    path: '',
    body: { time_zone: zone },
    shows: [['store', 'time_zone'], zone],
  })),
  name: step(1, { name: fc.constantFrom('Corner Coffee', 'Corner Tea') }, ({ name }) => ({
    kind: 'store',
    role: 'owner',
    path: '',
    body: { name },
    shows: [['store', 'name'], name],
  })),
  shifts: step(2, { chair: index(2), rows: fc.array(fc.record(span), { maxLength: 2 }) }, ({ chair, rows }) => ({
    kind: 'floor',
    role: 'manager',
    path: '/floor',
    body: { units: [{ id: guid(4, chair), name: `Chair ${chair}`, service_ids: [], weekly_shifts: rows }] },
    shows: [['floor', 'units', guid(4, chair), 'weekly_shifts'], rows],
  })),
  goal: step(1, { goal: fc.integer({ min: 1, max: 12 }) }, ({ goal }) => ({
    kind: 'programme',
    role: 'owner',
    path: '/programme',
    body: { goal },
    shows: [['programme', 'goal'], goal],
  })),
  tag: step(2, { tag: index(2), revoked: fc.boolean(), gone: fc.boolean() }, ({ tag, revoked, gone }, moment) => ({
    kind: 'programme',
    role: 'owner',
    path: '/programme',
    body: gone ? { remove_tags: [tagOf(tag, moment)] } : { tags: [{ uid: tagOf(tag, moment), revoked }] },
  })),
  hire: step(2, { person: index(3), role: fc.constantFrom('staff', 'manager', 'owner') }, ({ person, role }, moment) => ({
    kind: 'staff',
    role: role === 'staff' ? 'manager' : 'owner',
    path: '/staff',
    method: 'POST',
    body: { id: personOf(person, moment), name: `Person ${person}`, role },
    shows: [['staff', 'role'], role],
  })),
  promote: step(2, { person: index(3), role: fc.constantFrom('staff', 'manager', 'owner', null) }, ({ person, role }, moment) => ({
    kind: 'staff',
    role: role === 'staff' || role === null ? 'manager' : 'owner',
    path: `/staff/${personOf(person, moment)}`,
    body: { role },
  })),
} as const;

type Draw<Fields> = { readonly [F in keyof Fields]: Fields[F] extends fc.Arbitrary<infer T> ? T : never };
interface StepKind {
  readonly weight: number;
  readonly fields: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly request: (fields: never, moment: Moment) => Wanted;
}

function step<F extends Readonly<Record<string, fc.Arbitrary<unknown>>>>(
  weight: number,
  fields: F,
  request: (fields: Draw<F>, moment: Moment) => Wanted,
): StepKind {
  return { weight, fields, request };
}

const iso = (at: number, hours: number) => new Date(at + hours * 3_600_000).toISOString();

/** A request of a person at one of the shops. `match` is the version that it names; `callers` send it at the same moment. */
export interface Step {
  readonly do: keyof typeof stepKinds;
  readonly fields: object;
  readonly shop: number;
  readonly as: Role;
  readonly match: 'current' | 'stale' | 'any';
  readonly callers: number;
}

export const requestOf = ({ do: kind, fields }: Step, moment: Moment): Wanted => stepKinds[kind].request(fields as never, moment);

export interface Round {
  readonly steps: readonly Step[];
  readonly ofCustomers: readonly CustomerStep[];
  readonly hours: number;
}

const steps = fc.oneof(
  ...Object.entries(stepKinds).map(([kind, { weight, fields }]) => ({
    weight,
    arbitrary: fc.record(
      {
        do: fc.constant(kind as Step['do']),
        fields: fc.record(fields, { noNullPrototype: true }),
        shop: index(1),
        as: fc.constantFrom<Role>('owner', 'owner', 'manager', 'manager', 'staff'),
        match: fc.constantFrom('current' as const, 'current' as const, 'any' as const, 'stale' as const),
        callers: fc.constantFrom(1, 1, 1, 2),
      },
      { noNullPrototype: true },
    ),
  })),
);

/**
 * Generates some months: rounds that are hours or days apart, now and then more than the two weeks that are published. Most stay within a
 * day, where nothing is renewed and only what the changes publish can be right.
 */
export const months = (longest: number): fc.Arbitrary<Round[]> =>
  fc.array(
    fc.record(
      {
        steps: fc.array(steps, { minLength: 1, maxLength: 5, size: 'max' }),
        ofCustomers: fc.array(customerStep, { maxLength: 4, size: 'max' }),
        hours: fc.oneof(
          { weight: 8, arbitrary: fc.nat({ max: 3 }) },
          { weight: 5, arbitrary: fc.integer({ min: 4, max: 90 }) },
          { weight: 1, arbitrary: fc.integer({ min: 91, max: 500 }) },
        ),
      },
      { noNullPrototype: true },
    ),
    { minLength: 5, maxLength: longest, size: 'max' },
  );
