import { dayOfMoney } from '@corner/contracts';
import { z } from 'zod';

/*
 * The boards of a shop call the platform's own operations under /api/v1, which the console's server forwards to the gateway with the token
 * of the session. The schemas below have no operation there.
 */

/**
 * `GET /api/shop/{store_id}/money?date=2026-11-23`: one day of a store, in minor units of its currency. Its entries as CSV are under
 * `/money.csv`; if they may be incomplete, the last line says so.
 */
export const DayOfMoney = dayOfMoney.output;
export type DayOfMoney = z.output<typeof DayOfMoney>;

/**
 * `GET /api/shop/{store_id}/proof?from=2026-11-01&to=2026-11-27`: what `corner proof` says of the store's webhooks and closed days, of at
 * most 31 days. A link without faults is proved. `hash` is that of the last closed day.
 */
const ProvedState = z.enum(['complete', 'so_far', 'nothing_yet', 'not_complete']);
export const Proof = z.object({
  at: z.iso.datetime(),
  state: ProvedState,
  links: z.array(
    z.object({
      link: z.string(),
      found: z.string(),
      faults: z.array(z.string()).readonly(),
      state: ProvedState,
      hash: z.string().nullable().optional(),
    }),
  ),
});
export type Proof = z.output<typeof Proof>;

/** `GET /api/shop/{store_id}/customers/{customer_id}/messages`: the messages to the store's customer, without addresses and text. */
export { Messages as CustomerMessages } from './operator.ts';

/**
 * `GET /api/live?store_id=`: server-sent events. `event: change` has this as data, with the id of the changed aggregate as `subject`, and
 * an `id` that the browser sends again as Last-Event-ID; the stream then resumes after it. `event: reset` says that changes may have been
 * missed: read everything again. Without `store_id` it needs `operator:read`.
 */
export const Change = z.object({
  producer: z.string(),
  type: z.string(),
  subject: z.string(),
  event_id: z.string(),
  store_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  at: z.string(),
});
export type Change = z.output<typeof Change>;
