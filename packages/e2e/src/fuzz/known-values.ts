import { people, stores } from '@corner/sandbox/demo';

/** A placeholder in a planned request. It is replaced by an existing value when the request is made; which one depends on earlier responses. */
interface Known {
  readonly $known: string;
  readonly nth: number;
}

const id = (end: string): string => `0190a000-0000-7000-8000-000000000${end}`;

/** Values that exist in the demo, by field name. */
const seeds: Readonly<Record<string, readonly string[]>> = {
  store_id: [stores.coffee.id, stores.coffee.id, stores.cuts.id],
  store_code: [stores.coffee.code, stores.cuts.code],
  customer_id: [people.ana.id, id('0a2'), id('0a5')],
  menu_item_id: ['flat-white', 'croissant', 'espresso', 'beans-250g', 'last-cinnamon-bun'],
  slot_id: [id('0f1'), id('0f2'), id('0f5')],
  service_id: [id('701'), id('702')],
  preferred_unit_id: [id('711'), id('712')],
  staff_secret: ['card_0123456789abcdef0123456789abcdef'],
  order_id: [],
  entry_id: [],
  stamp_id: [],
  voucher_id: [],
  request_id: [],
  webhook_id: [],
  payment_intent_id: [],
  code: [],
  before: ['2026-05-01T12:00:00.000001Z'],
};

/** Fields that take the same values under another name. */
const aliases: Readonly<Record<string, string>> = {
  orderId: 'order_id',
  storeId: 'store_id',
  before_id: 'order_id',
  expected_store_id: 'store_id',
  unit_id: 'preferred_unit_id',
};
/** The kind of an `id` by the name of the field that contains it. */
const idsWithin: Readonly<Record<string, string>> = {
  orders: 'order_id',
  order: 'order_id',
  entries: 'entry_id',
  entry: 'entry_id',
  stamps: 'stamp_id',
  active_vouchers: 'voucher_id',
  request: 'request_id',
  webhooks: 'webhook_id',
  webhook: 'webhook_id',
};

export const kindOf = (field: string): string | undefined => {
  const kind = aliases[field] ?? field;
  return kind in seeds ? kind : undefined;
};

/** How many values of a kind are kept. The newest are, since older records have ended. */
const maxValues = 40;

export class KnownValues {
  readonly #values = new Map<string, string[]>(Object.entries(seeds).map(([kind, values]) => [kind, [...values]]));

  /** Replaces each placeholder by a known value; by an id that does not exist when none of its kind is known. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.resolve(entry));
    if (typeof value !== 'object' || value === null) return value;
    if ('$known' in value) {
      const { $known, nth } = value as Known;
      const values = this.#values.get($known) ?? [];
      return values[nth % Math.max(values.length, 1)] ?? id('fff');
    }
    return fromEntries(Object.entries(value).map(([key, entry]) => [key, this.resolve(entry)]));
  }

  /** Remembers the ids and codes in a response. `within` is the name of the field that contains it. */
  learn(response: unknown, within = ''): void {
    if (Array.isArray(response)) for (const entry of response) this.learn(entry, within);
    if (typeof response !== 'object' || response === null || Array.isArray(response)) return;
    for (const [key, value] of Object.entries(response)) {
      if (typeof value === 'object') this.learn(value, key);
      const kind = key === 'id' ? idsWithin[within] : key === 'created_at' ? 'before' : kindOf(key);
      if (kind !== undefined && typeof value === 'string') this.#add(kind, value);
    }
  }

  #add(kind: string, value: string): void {
    const values = this.#values.get(kind) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    // The demo's values are never removed.
    if (values.length > maxValues) values.splice(seeds[kind]?.length ?? 0, 1);
  }
}

/** Makes an object of entries. Unlike Object.fromEntries it keeps a key named __proto__. */
export function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  const prepared = {};
  for (const [key, value] of entries) Object.defineProperty(prepared, key, { value, enumerable: true, configurable: true, writable: true });
  return prepared;
}
