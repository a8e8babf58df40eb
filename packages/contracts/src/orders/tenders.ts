import { z } from 'zod';
import { Instant, Pence } from '../vocabulary.ts';

/** `provider`: by the payment provider; `external_card`: by a card reader of the store's own; `none`: the order costs nothing. */
export const tenderKinds = ['provider', 'cash', 'external_card', 'none'] as const;
export type TenderKind = (typeof tenderKinds)[number];

export const Tender = z
  .object({
    kind: z.enum(tenderKinds),
    amount_pence: Pence.describe('What it paid of the total.'),
    given_pence: Pence.nullable().describe('The cash that was handed over. Null for any other tender.'),
    change_pence: Pence.nullable().describe('The change. Null for any other tender than cash.'),
    reference: z.string().nullable().describe('What the card reader printed. Null for any other tender.'),
    refunded_pence: Pence.describe('What refunds gave back of it.'),
    at: Instant.describe('When it was taken.'),
  })
  .meta({ id: 'Tender' });

/** How an offline sale may differ from the menu at the time it arrived. */
export const offlineDifferences = ['sold_out', 'price', 'off_menu'] as const;

export const OfflineSale = z
  .object({
    sold_at: Instant.describe('When it was sold, by the clock of the till. `paid_at` is when it arrived: the books count it then.'),
    differences: z
      .array(
        z.object({
          why: z
            .enum(offlineDifferences)
            .describe(
              '`sold_out`: fewer were left, or staff had marked it. `price`: the menu has another price by now. `off_menu`: the menu no longer offers it.',
            ),
          name: z.string().describe('The item or the choice.'),
          quantity: z.int().describe('How many. Of `sold_out`, those that no stock was left for: no stock is taken for them.'),
          menu_pence: Pence.nullable().describe('Of `price`, the price of one on the menu, with its choices. Null for any other.'),
        }),
      )
      .describe('What was sold as it was shown, although the menu says something else by now. Empty for nothing.'),
  })
  .meta({ id: 'OfflineSale' });
