import { z } from 'zod';
import { typedName } from '../typed/names.ts';
import { ChoiceId, extension, InstantInput, MenuItemId, Pence, SlotId, VoucherId } from '../vocabulary.ts';

const BasketLine = z.object({
  menu_item_id: MenuItemId.describe('An item of the store’s menu.'),
  quantity: z.int().min(1).max(99).describe('How many of it.'),
  choices: extension(
    z
      .array(ChoiceId)
      .max(50)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each choice once')
      .optional()
      .describe('Ids of the choices of its options, which the menu names.'),
  ),
  note: extension(
    z
      .string()
      .trim()
      .max(140)
      .regex(/^\P{Cc}*$/u, 'must be one line of text')
      .nullish()
      .describe('What the kitchen is to know about it. Lines of one item with other choices or another note stay apart.'),
  ),
});
const Basket = z.array(BasketLine).max(100);

const CollectionMode = z
  .enum(['now', 'scheduled'])
  .optional()
  .describe(
    'When it is collected: `now` is as soon as it is ready, `scheduled` in a slot. When absent, what slot_id and requested_collection_at say.',
  );

/** Shared by the operations that place an order. */
export const basketFields = {
  items: Basket.describe('With fulfilment_groups: empty, or the exact sum of the lines of all groups.'),
  fulfilment: z
    .object({
      mode: z
        .enum(['counter', 'table', 'counter_collection', 'table_service'])
        .transform((mode) => (mode === 'table' || mode === 'table_service' ? ('table' as const) : ('counter' as const)))
        .describe('`counter_collection` means `counter`, and `table_service` means `table`.'),
      table_number: typedName(16).nullish().describe('Required when mode is table.'),
    })
    .refine(({ mode, table_number }) => mode !== 'table' || table_number, {
      path: ['table_number'],
      error: 'is required when mode is table',
    })
    .optional()
    .describe('How the order is served. Collection at the counter when absent.'),
  eat_in: extension(
    z
      .boolean()
      .nullish()
      .describe(
        'Whether it is eaten in: the VAT in a price may depend on it. What is served at a table always is, what is collected never; anything else is taken away when this is absent.',
      ),
  ),
  tip_pence: z
    .int()
    .min(0)
    .max(99_999_999)
    .nullish()
    .describe('A tip, added to the total. At most what is bought comes to, or 50,000 minor units where that is more.'),
  expected_total_pence: extension(
    Pence.nullish().describe(
      'The total that the customer was shown. When it is another by now, the order is refused with PRICE_CHANGED and holds nothing.',
    ),
  ),
  expected_ready_from: extension(
    InstantInput.nullish().describe(
      'The quarter of an hour that the customer was shown, as ready_from of readMenu: when what is made now would be ready in a later one, the order is refused with READY_LATER and holds nothing.',
    ),
  ),
  promo_code: z.string().trim().min(1).max(64).nullish().describe('A promo code of the store.'),
  voucher_id: VoucherId.nullish().describe('A voucher of the customer. It is reserved for this order until it is paid or ends.'),
  order_type: z
    .enum(['buy_now', 'collect'])
    .optional()
    .describe(
      '`buy_now` is taken at once, `collect` is collected when it is ready. When absent: `collect` with a collection_mode or a slot, else `buy_now`.',
    ),
  collection_mode: CollectionMode,
  slot_id: SlotId.nullish().describe('The collection slot of a scheduled order.'),
  requested_collection_at: InstantInput.nullish().describe('A time in a collection slot, as an alternative to slot_id.'),
};

export const fulfilmentGroups = z
  .array(
    z.object({
      role: z.enum(['now', 'collect']).describe('Whether the group is taken at once or collected.'),
      items: Basket.min(1).describe('The lines of the group.'),
      collection_mode: CollectionMode,
      requested_collection_at: InstantInput.nullish().describe('A time in a collection slot, as an alternative to slot_id.'),
      slot_id: SlotId.nullish().describe('The collection slot of a scheduled group.'),
    }),
  )
  .max(6)
  .optional()
  .describe('A mixed order: lines to take now, and one or more groups to collect.');

interface Lines {
  readonly items: readonly unknown[];
  readonly fulfilment_groups?: readonly unknown[] | undefined;
}

export const withLines = <Body extends z.ZodType<Lines>>(body: Body): Body =>
  body.refine(({ items, fulfilment_groups }) => items.length > 0 || Boolean(fulfilment_groups?.length), {
    path: ['items'],
    error: 'must have at least one line when there are no fulfilment_groups',
  });

export const placingProblems = [
  'STORE_NOT_FOUND',
  'STORE_NOT_ACCEPTING_ORDERS',
  'STORE_CLOSED',
  'ITEM_NOT_FOUND',
  'CHOICES_INVALID',
  'PRICE_CHANGED',
  'OUT_OF_STOCK',
  'SLOT_NOT_FOUND',
  'SLOT_CLOSED',
  'SLOT_JUST_FILLED',
  'SLOT_MISMATCH',
  'NO_CAPACITY_TODAY',
  'READY_LATER',
  'GROUPS_MISMATCH',
  'PROMO_INVALID',
  'PROMO_EXPIRED',
  'PROMO_NOT_APPLICABLE',
  'PROMO_LIMIT_REACHED',
  'VOUCHER_NOT_FOUND',
  'VOUCHER_EXPIRED',
  'VOUCHER_RESERVED',
  'VOUCHER_ALREADY_REDEEMED',
  'VOUCHER_VOIDED',
  'VOUCHER_NOT_APPLICABLE',
] as const;
