import { people, stores } from '@corner/sandbox/demo';
import fc from 'fast-check';

const id = (end: string): string => `0190a000-0000-7000-8000-000000000${end}`;

const ofDemo: Readonly<Record<string, readonly string[]>> = {
  store_id: [stores.coffee.id, stores.coffee.id, stores.cuts.id],
  store_code: [stores.coffee.code, stores.cuts.code],
  customer_id: [people.ana.id, id('0a2'), id('0a5')],
  menu_item_id: ['flat-white', 'croissant', 'espresso', 'beans-250g', 'last-cinnamon-bun'],
  slot_id: [id('0f1'), id('0f2'), id('0f5')],
  service_id: [id('701'), id('702')],
  preferred_unit_id: [id('711'), id('712')],
  staff_secret: ['card_0123456789abcdef0123456789abcdef'],
  code: [],
  before: ['2026-05-01T12:00:00.000001Z'],
};

const aliases: Readonly<Record<string, string>> = {
  before_id: 'order_id',
  expected_store_id: 'store_id',
  unit_id: 'preferred_unit_id',
  chair_id: 'preferred_unit_id',
};
/** Keys that the caller makes: a known one would be a repeat. */
const ofCaller = new Set(['refund_attempt_id', 'client_id']);

/** `order_id` for `orderId`; undefined for a field without known values. */
export function kindOf(field: string): string | undefined {
  const name = field.replace(/Id$/, '_id');
  return (name.endsWith('_id') && !ofCaller.has(name)) || name in ofDemo ? (aliases[name] ?? name) : undefined;
}

/** `entry_id` of `entries`, `voucher_id` of `active_vouchers`. */
const kindOfIdIn = (field: string): string =>
  `${field
    .replace(/^active_/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')}_id`;

/** The newest of each kind, since older records have ended. */
const maxLearned = 40;

export class KnownValues {
  readonly #learned = new Map<string, string[]>();

  /** One of the values known at that moment; an id that does not exist when there is none. */
  arbitrary(kind: string): fc.Arbitrary<string> {
    return fc.nat(50).map((nth) => {
      const values = [...(ofDemo[kind] ?? []), ...(this.#learned.get(kind) ?? [])];
      return values[nth % Math.max(values.length, 1)] ?? id('fff');
    });
  }

  learn(response: unknown, within = ''): void {
    if (Array.isArray(response)) for (const entry of response) this.learn(entry, within);
    else if (typeof response === 'object' && response !== null)
      for (const [field, value] of Object.entries(response)) {
        const kind = field === 'id' ? kindOfIdIn(within) : field === 'created_at' ? 'before' : kindOf(field);
        if (typeof value === 'object') this.learn(value, field);
        else if (kind !== undefined && typeof value === 'string') this.#add(kind, value);
      }
  }

  #add(kind: string, value: string): void {
    const values = this.#learned.get(kind) ?? [];
    if (values.includes(value) || ofDemo[kind]?.includes(value)) return;
    this.#learned.set(kind, [...values, value].slice(-maxLearned));
  }
}
