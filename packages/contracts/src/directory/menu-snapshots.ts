import { z } from 'zod';
import { Allergens, ChoiceId, diets, InstantInput, MenuItemId, Pence, SlotId } from '../vocabulary.ts';
import { checkChoices, checkItem } from './menu-rules.ts';
import { ofStore, overWhole, snapshot, withinWhole } from './snapshot-parts.ts';

export const PromoSnapshot = z
  .object({
    id: z.guid().toLowerCase().describe('The promo code.'),
    code: z.string().trim().min(1).max(64).describe('What customers type.'),
    label: z.string().nullable().default(null).describe('What the receipt calls it. Null for the code itself.'),
    kind: z.enum(['percent', 'amount']).describe('What `value` is.'),
    value: z.int().min(1).describe('Whole percent, or pence.'),
    min_subtotal_pence: Pence.default(0).describe('The least subtotal that it applies to.'),
    starts_at: InstantInput.nullable().default(null).describe('When it begins to apply. Null for at once.'),
    ends_at: InstantInput.nullable().default(null).describe('When it expires. Null for never.'),
    max_uses: z.int().min(1).nullable().default(null).describe('How often it can be used in all. Null for any number.'),
    max_per_customer: z.int().min(1).nullable().default(null).describe('How often one customer can use it. Null for any number.'),
    first_order_only: z.boolean().default(false).describe('Whether it is for a customer’s first order at the store.'),
    active: z.boolean().default(true).describe('Whether it can be used.'),
  })
  .refine(withinWhole, overWhole);

const Vat = z
  .array(
    z.object({
      when: z.enum(['eat_in', 'away']).describe('Whether it is eaten in, or taken away.'),
      rate_bps: z.int().min(0).max(10_000).describe('In hundredths of a percent: 2000 is 20 %.'),
    }),
  )
  .max(2)
  .refine((rates) => new Set(rates.map(({ when }) => when)).size === rates.length, 'must name eat_in and away once each')
  .optional();

const makeMinutes = z.int().min(0).max(480).optional();

const Choice = z.object({
  id: ChoiceId.describe(
    'The choice. One id is one thing in the whole store, so that staff mark it as sold out once: it has the same name and allergens in every option, and no item has it.',
  ),
  name: z.string().trim().min(1).max(60).describe('What customers call it.'),
  price_pence: Pence.default(0).describe('What it adds to the price of the item.'),
  allergens: Allergens.default(null),
  available: z.boolean().default(true).describe('Whether it is offered.'),
  make_minutes: makeMinutes.describe('Minutes that it adds to the making of the item, where the pace counts minutes. None when absent.'),
  vat: Vat.describe(
    'The VAT in its own price, where that is not the rate of the item. It has the rate of the item for what it does not name.',
  ),
});

const Option = z.object({
  id: z.string().min(1).max(64).describe('The option, within the item.'),
  name: z.string().trim().min(1).max(60).describe('What customers choose, such as Milk.'),
  min: z.int().min(0).max(50).default(0).describe('How many choices an order must have. 0 when it may have none.'),
  max: z.int().min(1).max(50).default(1).describe('How many choices an order may have.'),
  choices: z.array(Choice).min(1).max(50).describe('What can be chosen.'),
});

const MenuItem = z.object({
  id: MenuItemId.describe('The item, within the store.'),
  name: z.string().min(1).max(120).describe('What customers call it.'),
  price_pence: Pence.describe('The price of one.'),
  prep_minutes: z.int().min(0).max(480).default(5).describe('Minutes that it takes to make.'),
  make_minutes: makeMinutes.describe('Minutes of work on one, where the pace of the kitchen counts minutes. 1 when absent.'),
  stock: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe(
      'Units in stock; null means unlimited. Units that orders have taken are still deducted after a new snapshot. Staff set what is left with switchMenuItem; then that counts.',
    ),
  available: z.boolean().default(true).describe('Whether it is offered.'),
  vat_rate_bps: z
    .int()
    .min(0)
    .max(10_000)
    .nullable()
    .default(null)
    .describe('The VAT in the price, in hundredths of a percent: 2000 is 20 %. Null when no VAT is shown.'),
  vat: Vat.describe('The VAT in the price, where it depends on whether it is eaten in. For what it does not name, vat_rate_bps counts.'),
  category: z.string().trim().min(1).max(60).nullable().default(null).describe('The part of the menu that it is in. Null for none.'),
  description: z.string().trim().min(1).max(500).nullable().default(null).describe('What customers read about it. Null for nothing.'),
  image_url: z.string().max(2048).nullable().default(null).describe('A picture of it, such as the url of an upload. Null for none.'),
  allergens: Allergens.default(null),
  diet: z.array(z.enum(diets)).max(diets.length).default([]).describe('What it is fit for, without any choice.'),
  options: z.array(Option).max(20).default([]).describe('What customers choose with it.'),
});

export const MenuSnapshot = z.object({
  ...snapshot,
  store_id: ofStore,
  items: z
    .array(MenuItem.superRefine(checkItem))
    .superRefine(checkChoices)
    .describe('All items. One that is missing can no longer be ordered.'),
  promos: z.array(PromoSnapshot).default([]).describe('All promo codes. One that is missing can no longer be used.'),
});

export const SlotsSnapshot = z.object({
  ...snapshot,
  store_id: ofStore,
  slots: z
    .array(
      z.object({
        id: SlotId.describe('The slot.'),
        starts_at: InstantInput.describe('Its start.'),
        ends_at: InstantInput.describe('Its end.'),
        capacity: z.int().min(0).nullable().default(null).describe('The number of orders it can hold; null means unlimited.'),
        open: z.boolean().default(true).describe('Whether it can be booked.'),
      }),
    )
    .describe('All collection slots. One that is missing is closed.'),
});
