import type { FaultKind } from '@corner/sandbox';
import fc from 'fast-check';

/** One thing somebody does. Orders are named by the order they were placed in, whoever placed them. */
export type Step =
  | {
      readonly do: 'create';
      readonly who: number;
      readonly basket: 'now' | 'collect' | 'slot' | 'mixed' | 'free';
      readonly slot: number;
      readonly promo: boolean;
    }
  | { readonly do: 'create again'; readonly order: number }
  | { readonly do: 'pay'; readonly order: number; readonly card: 'pm_card_visa' | 'pm_card_visa_chargeDeclined' }
  | { readonly do: 'confirm'; readonly order: number }
  | { readonly do: 'webhooks'; readonly reversed: boolean }
  | { readonly do: 'refund'; readonly order: number; readonly pence: number | null; readonly attempt: number }
  | { readonly do: 'advance'; readonly order: number; readonly to: 'preparing' | 'ready' | 'collected' | 'cancelled' }
  | { readonly do: 'status'; readonly order: number; readonly to: 'ready' | 'fulfilled' | 'cancelled' }
  | { readonly do: 'earlier'; readonly order: number; readonly slot: number }
  | { readonly do: 'lapse' }
  | { readonly do: 'reconcile' }
  | { readonly do: 'fail refund'; readonly order: number }
  | { readonly do: 'fault'; readonly how: FaultKind; readonly path: string };

const order = fc.nat({ max: 7 });
const slot = fc.nat({ max: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      who: fc.nat({ max: 2 }),
      basket: fc.constantFrom('now' as const, 'collect' as const, 'slot' as const, 'mixed' as const, 'free' as const),
      slot,
      promo: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create again' as const), order }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      order,
      card: fc.constantFrom('pm_card_visa' as const, 'pm_card_visa' as const, 'pm_card_visa_chargeDeclined' as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('confirm' as const), order }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('webhooks' as const), reversed: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      order,
      pence: fc.option(fc.integer({ min: 1, max: 700 })),
      attempt: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      order,
      to: fc.constantFrom(
        'preparing' as const,
        'preparing' as const,
        'ready' as const,
        'ready' as const,
        'collected' as const,
        'cancelled' as const,
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      order,
      to: fc.constantFrom('ready' as const, 'fulfilled' as const, 'cancelled' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('earlier' as const), order, slot }) },
  { weight: 1, arbitrary: fc.constant({ do: 'lapse' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reconcile' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail refund' as const), order }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      how: fc.constantFrom('error_before' as const, 'error_after' as const, 'lost_before' as const, 'lost_after' as const),
      path: fc.constantFrom('/v1/payment_intents', '/v1/refunds', '/cancel'),
    }),
  },
);

/** Rounds of steps: the steps of a round are taken at once, the next round begins when all have ended. */
export const rounds = (longest: number): fc.Arbitrary<Step[][]> =>
  fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: longest });
