import { z } from 'zod';

/**
 * `GET /shop.json`: what the server of a shop's pages says to them. `payments` is where they are paid: Stripe; a simulator of
 * it, whose interface is Stripe's for devices; or null where nothing can be paid.
 */
export const ShopSettings = z.object({
  payments: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('stripe'), publishable_key: z.string() }),
      z.object({ kind: z.literal('sandbox'), url: z.string(), publishable_key: z.string() }),
    ])
    .nullable(),
});
export type ShopSettings = z.output<typeof ShopSettings>;
