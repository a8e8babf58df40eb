import { hourAt, minutesByAhead, type ReadyTimes } from '../ready-times/index.ts';

interface UnpaidPart {
  readonly id: string;
  readonly version: number;
  readonly order_number: string;
  readonly order_type: 'buy_now' | 'collect';
  readonly collection_mode: string | null;
}

/** A part with its state after payment. `collection_code` is null unless it is collected; `is_first` is null for a leg. */
export interface PaidPart extends Omit<UnpaidPart, 'collection_mode'> {
  readonly collection_code: string | null;
  readonly is_first: boolean | null;
  readonly ready: ReadyQuote | null;
}

/** Minutes until a part is ready, by how many orders are ahead, and how much earlier or later than that it may be. */
interface ReadyQuote {
  readonly minutes: readonly number[];
  readonly early: number;
  readonly late: number;
}

interface UnpaidOrder extends UnpaidPart, Buyer {
  readonly lines: readonly { readonly menu_item_id: string }[];
  readonly legs: readonly (UnpaidPart & { readonly item_ids: readonly string[] })[];
  readonly time_zone: string;
  readonly ready_times: ReadyTimes | null;
}

/** Decides the state of an order and its legs after payment, the order first. `codes` has a collection code for each. */
export function paidParts(order: UnpaidOrder, codes: readonly string[], at: Date): readonly PaidPart[] {
  const main = { ...order, item_ids: order.lines.map(({ menu_item_id }) => menu_item_id) };
  return [main, ...order.legs].map(({ id, version, order_number, order_type, collection_mode, item_ids }, n) => ({
    id,
    version,
    order_number,
    order_type,
    collection_code: order_type === 'collect' ? (codes[n] ?? null) : null,
    is_first: n === 0 ? isFirst(order) : null,
    ready: collection_mode === 'now' ? readyQuote(order, item_ids, at) : null,
  }));
}

function readyQuote({ ready_times: times, time_zone }: UnpaidOrder, items: readonly string[], at: Date): ReadyQuote | null {
  if (!times) return null;
  const [early, late] = times.late;
  return { minutes: minutesByAhead(times, { items, hour: hourAt(at, time_zone) }), early, late };
}

interface Buyer {
  readonly has_paid_before: boolean;
  readonly without_customer: boolean;
}

/** Whether an order is the customer's first paid one at the store; never for a sale without a customer. */
export const isFirst = ({ has_paid_before, without_customer }: Buyer): boolean => !has_paid_before && !without_customer;

/** Returns when a job first checks whether a paid order was accepted or collected in time: not before it could be late. */
export function firstLook(
  { auto_accept, accept_within_minutes }: { readonly auto_accept: boolean; readonly accept_within_minutes: number | null },
  paidAt: Date,
): Date {
  const minutes = auto_accept || accept_within_minutes === null ? minutesUntilLook : accept_within_minutes;
  return new Date(paidAt.getTime() + minutes * 60_000);
}

const minutesUntilLook = 120;
