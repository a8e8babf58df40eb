import { z } from 'zod';

/*
 * The boards of a shop call the platform's own operations under /api/v1, which the console's server forwards to the gateway with the token of
 * the session. What follows has no operation there.
 */

const Amount = z.int();

/** `GET /api/shop/{store_id}/money?date=2026-11-23`: one day of a store, in minor units of its currency. The same as CSV under `/money.csv`. */
export const DayOfMoney = z.object({
  store_id: z.string(),
  /** The day in the store's time zone. */
  date: z.string(),
  currency: z.string(),
  orders: z.int(),
  gross: Amount,
  refunds: Amount,
  fees: Amount,
  /** What was taken of the store for disputes, less what came back. */
  dispute_shares: Amount,
  /** What the store keeps: gross less refunds, fees and dispute shares. */
  net: Amount,
  entries: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      order_id: z.string(),
      order_number: z.string().nullable(),
      /** Negative when it leaves the store. */
      amount: Amount,
      fee: Amount,
      provider_id: z.string().nullable(),
    }),
  ),
  disputes: z.array(
    z.object({
      order_id: z.string(),
      order_number: z.string().nullable(),
      state: z.string(),
      amount: Amount,
      /** Until when the store must answer; null when the provider named none. */
      respond_by: z.string().nullable(),
    }),
  ),
});
export type DayOfMoney = z.output<typeof DayOfMoney>;

/** `GET /api/shop/{store_id}/customers/{customer_id}/messages`: what the store's customer was sent, without addresses and text. */
export { Messages as CustomerMessages } from './operator.ts';

/**
 * `GET /api/live?store_id=`: server-sent events. `event: change` has this as data, and an `id` that the browser sends again as Last-Event-ID;
 * the stream then goes on after it. `event: reset` says that changes may have been missed: read everything again. Without `store_id` it needs
 * `operator:read`.
 */
export const Change = z.object({
  producer: z.string(),
  type: z.string(),
  /** The id of the aggregate that changed. */
  subject: z.string(),
  event_id: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  at: z.string(),
});
export type Change = z.output<typeof Change>;
