import { columns, instantOf, outboxColumns, type Queries } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { firstCallsInserted, type ProviderCall } from '../../provider/tables.ts';
import type { Hold, Placement } from '../rules/placement.ts';
import { ordersInserted, paidAtOnce, unpaid } from './insert-orders.ts';
import { holdsTaken } from './take-holds.ts';

/**
 * Writes an order that is to be paid in one statement and returns its number: takes its holds, draws the number, and inserts the orders,
 * lines, holds, the first log entry and the calls that the provider is to get next; or changes nothing. It ends with the database error
 * CR001, whose message is the problem's code, when a hold cannot be taken: SLOT_CLOSED, SLOT_JUST_FILLED, OUT_OF_STOCK,
 * PROMO_LIMIT_REACHED.
 *
 * Lock order: as {@link holdsTaken}, then the store's row.
 */
export const insertPlacedOrder = (
  queries: Pick<Queries, 'one'>,
  placement: Placement,
  holds: readonly Hold[],
  calls: readonly ProviderCall[],
): Promise<{ readonly order_number: string }> =>
  queries.one(sql.prepared('place-order', z.object({ order_number: z.string() }))`
    with ${holdsTaken(placement, holds)},
    numbered as (${numberDrawn(placement)}),
    placed as (${ordersInserted(placement, unpaid, [])}),
    lines_inserted as (${linesInserted(placement)}),
    holds_inserted as (${holdsInserted('held')}),
    calls_begun as (${firstCallsInserted(calls, sql.fragment`select from placed`)}),
    logged as (${logged(placement, sql.fragment`(1, 'placed', 'The customer placed the order')`)})
    select order_number from placed where parent_order_id is null`);

const FreePart = z.object({
  order_number: z.string(),
  fulfilment_status: z.literal('accepted').nullable(),
  collection_code: z.string().nullable(),
  requested_collection_at: z.string().nullable(),
});
/** What the statement decided of a free order or of a leg of it. */
export type FreePart = z.output<typeof FreePart>;

export interface FreeOrder {
  readonly placement: Placement;
  readonly holds: readonly Hold[];
  /** A collection code for the order and each of its legs. */
  readonly codes: readonly string[];
  /** Selects the rows of the outbox from the inserted orders, `placed`. */
  readonly events: FragmentSqlToken;
}

/**
 * Writes an order that costs nothing in one statement, as {@link insertPlacedOrder} does, but paid: every row once and in its final state,
 * with the charge and the events. Returns what it decided of the order and its legs, main order first.
 */
export const insertFreeOrder = (
  queries: Pick<Queries, 'many'>,
  { placement, holds, codes, events }: FreeOrder,
): Promise<readonly FreePart[]> =>
  queries.many(sql.prepared('place-free-order', FreePart)`
    with ${holdsTaken(placement, holds)},
    numbered as (${numberDrawn(placement)}),
    placed as (${ordersInserted(placement, paidAtOnce(placement), codes)}),
    lines_inserted as (${linesInserted(placement)}),
    holds_inserted as (${holdsInserted('committed')}),
    charged as (
      insert into ledger (store_id, order_id, kind, provider_ref, amount_pence, at)
      select ${placement.storeId}, id, 'charge', 'free:' || id, 0, ${placement.placedAt.toISOString()} from placed where parent_order_id is null
    ),
    logged as (${logged(placement, sql.fragment`(1, 'placed', 'The customer placed the order'), (2, 'paid', 'Payment was received')`)}),
    published as (insert into outbox (${outboxColumns}) ${events})
    select ${columns(FreePart, { alias: 'p', overrides: { requested_collection_at: instantOf } })}
    from placed p order by p.parent_order_id nulls first, p.order_number`);

/** Draws the order's number, the last row to be locked: every order of the store waits for it. */
const numberDrawn = ({ storeId }: Placement): FragmentSqlToken => sql.fragment`
  update store set last_order_number = last_order_number + 1
  where id = ${storeId} and (select yes from stock_suffices) and (select yes from promo_allowed)
  returning code || '-' || last_order_number as order_number, auto_accept`;

const linesInserted = ({ main, legs }: Placement): FragmentSqlToken => sql.fragment`
  insert into order_line (order_id, position, menu_item_id, name, quantity, unit_price_pence, vat_rate_bps)
  select l.order_id, l.position, l.menu_item_id, l.name, l.quantity, l.unit_price_pence, l.vat_rate_bps
  from placed join jsonb_to_recordset(${sql.jsonb(
    [main, ...legs].flatMap(({ id, lines }) => lines.map((line, n) => ({ order_id: id, position: n + 1, ...line }))) as never,
  )}) as l(order_id uuid, position integer, menu_item_id text, name text, quantity integer, unit_price_pence integer, vat_rate_bps integer)
    on l.order_id = placed.id`;

const holdsInserted = (state: 'held' | 'committed'): FragmentSqlToken => sql.fragment`
  insert into hold (order_id, kind, ref, quantity, state)
  select h.order_id, h.kind, h.ref, h.quantity, ${state} from placed join held h on h.order_id = placed.id`;

/** Writes entries of the main order's log, each with its place among them, kind and title. */
const logged = ({ storeId, main, placedAt }: Placement, entries: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  insert into log_entry (store_id, order_id, at, kind, title, amount_pence)
  select ${storeId}, id, ${placedAt.toISOString()}, e.kind, e.title, ${main.price.totalPence}
  from placed, (values ${entries}) e(n, kind, title) where parent_order_id is null order by e.n`;
