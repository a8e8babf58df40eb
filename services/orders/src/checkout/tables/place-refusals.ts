import { UniqueIntegrityConstraintViolationError } from 'slonik';
import type { OpenOrders } from '../rules/limits.ts';
import type { Hold } from '../rules/placement.ts';

export class KeyIsUsed extends Error {}

const holdProblems = [
  'SLOT_CLOSED',
  'SLOT_JUST_FILLED',
  'OUT_OF_STOCK',
  'PROMO_LIMIT_REACHED',
  'NO_CAPACITY_TODAY',
  'READY_LATER',
] as const;

/**
 * A hold of an order cannot be taken. `ref` is the item whose stock does not suffice, or when an order would be ready later; else null. With `isKept`, the rest is reserved for customers
 * who have paid before.
 */
export class HoldRefused extends Error {
  readonly code: (typeof holdProblems)[number];
  readonly ref: string | null;
  readonly isKept: boolean;

  constructor(code: (typeof holdProblems)[number], ref: string | null, isKept: boolean, cause: unknown) {
    super(code, { cause });
    this.code = code;
    this.ref = ref;
    this.isKept = isKept;
  }
}

/** The customer has reached the limit of unpaid orders. The order named is the oldest that no one tried to pay. */
export class MustReplace extends Error {
  readonly orderId: string;

  constructor(orderId: string, cause: unknown) {
    super('the customer has too many unpaid orders', { cause });
    this.orderId = orderId;
  }
}

export class TooManyOrders extends Error {
  readonly open: OpenOrders;

  constructor(open: OpenOrders, cause: unknown) {
    super('there are too many open orders', { cause });
    this.open = open;
  }
}

export class StoreSwitched extends Error {}

const keptProblems = { slot: 'SLOT_JUST_FILLED', stock: 'OUT_OF_STOCK', promo: 'PROMO_LIMIT_REACHED' } as const;

function openOrdersOf(detail: string): OpenOrders {
  const { of, ends_at } = JSON.parse(detail) as { readonly of: OpenOrders['of']; readonly ends_at?: string };
  return { of, endsAt: ends_at ?? null };
}

export async function translated<T>(place: () => Promise<T>): Promise<T> {
  try {
    return await place();
  } catch (error) {
    if (
      error instanceof UniqueIntegrityConstraintViolationError &&
      ['one_order_for_a_key', 'orders_pkey'].includes(error.constraint ?? '')
    ) {
      throw new KeyIsUsed('the key was used for an order before', { cause: error });
    }
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const { code, message, detail } = cause as { code?: string; message: string; detail?: string };
      if (code !== 'CR001') continue;
      if (message === 'STORE_SWITCHED') throw new StoreSwitched('a switch of the store was changed', { cause: error });
      if (message === 'REPLACE_ORDER' && detail) throw new MustReplace(detail, error);
      if (message === 'OPEN_ORDERS' && detail) throw new TooManyOrders(openOrdersOf(detail), error);
      const kept = message === 'UNPROVEN_SHARE' ? /^(slot|stock|promo) (.*)$/s.exec(detail ?? '') : null;
      if (kept) throw new HoldRefused(keptProblems[kept[1] as Hold['kind']], kept[2] ?? null, true, error);
      const refused = holdProblems.find((problem) => problem === message);
      if (refused) throw new HoldRefused(refused, detail ?? null, false, error);
    }
    throw error;
  }
}
