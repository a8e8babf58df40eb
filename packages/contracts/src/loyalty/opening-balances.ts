import { z } from 'zod';

export const StampLine = z
  .object({
    line: z.int().min(1),
    store: z.string().min(1).max(64).describe('The store’s id or its code.'),
    customer: z
      .string()
      .min(1)
      .max(320)
      .describe('The customer’s id, e-mail address or whole phone number, as the directory has published it.'),
    stamps: z.int().min(0).max(100),
    vouchers: z.int().min(0).max(20).default(0).describe('Rewards that are earned and unused: each is as many stamps as the goal.'),
    id: z.string().min(1).max(100).optional().describe('Names the line in its store for ever. When absent, the customer’s id does.'),
  })
  .refine(({ stamps, vouchers }) => stamps + vouchers > 0, { path: ['stamps'], error: 'must be 1 or more when there are no vouchers' });

export const StampedLine = z.object({
  line: z.int(),
  store_id: z.string(),
  customer_id: z.string(),
  /** Includes the stamps of the line's vouchers. */
  stamps: z.int(),
  vouchers: z.int(),
  stamp_count: z.int(),
  repeated: z.boolean(),
});

export const stampLinesPerCall = 100;
