import { normaliseTyped, Problem } from '@corner/contracts';

const mostLegs = 5;

export interface Part {
  readonly orderType: 'buy_now' | 'collect';
  readonly collectionMode: 'now' | 'scheduled' | null;
  readonly lines: readonly RequestedLine[];
  readonly slotId: string | null;
  readonly collectAt: string | null;
}

/** A basket as it is placed: the main order, and the legs of a mixed basket, which are collected separately. */
export interface Basket {
  readonly main: Part;
  readonly legs: readonly Part[];
}

interface When {
  readonly collection_mode?: 'now' | 'scheduled' | undefined;
  readonly slot_id?: string | null | undefined;
  readonly requested_collection_at?: string | null | undefined;
}

export interface BasketRequest extends When {
  readonly items: readonly SentLine[];
  readonly order_type?: 'buy_now' | 'collect' | undefined;
  readonly fulfilment_groups?: readonly (When & { readonly role: 'now' | 'collect'; readonly items: readonly SentLine[] })[] | undefined;
}

export interface PlacingRequest extends BasketRequest {
  readonly store_id: string;
  readonly fulfilment?: { readonly mode: 'counter' | 'table'; readonly table_number?: string | null | undefined } | undefined;
  readonly eat_in?: boolean | null | undefined;
  readonly tip_pence?: number | null | undefined;
  readonly promo_code?: string | null | undefined;
  readonly voucher_id?: string | null | undefined;
  readonly expected_total_pence?: number | null | undefined;
  readonly expected_ready_from?: string | null | undefined;
  readonly booking_ref?: string | null | undefined;
}

export const requestOf = (body: PlacingRequest) => ({
  storeId: body.store_id,
  basket: basketOf(body),
  mode: body.fulfilment?.mode ?? ('counter' as const),
  eatIn: eatInOf(body),
  tableNumber: body.fulfilment?.mode === 'table' ? (body.fulfilment.table_number ?? null) : null,
  tipPence: body.tip_pence ?? 0,
  promoCode: body.promo_code ? normaliseTyped(body.promo_code) : null,
  voucherId: body.voucher_id ?? null,
  expectedTotalPence: body.expected_total_pence ?? null,
  expectedReadyFrom: body.expected_ready_from ?? null,
  bookingRef: depositOf(body),
});

/** The booking whose deposit is paid. Throws VALIDATION_FAILED where the order is more than that: all of it goes back with the deposit. */
function depositOf(body: PlacingRequest): string | null {
  if (!body.booking_ref) return null;
  const { main, legs } = basketOf(body);
  const [line, ...others] = main.lines;
  const isAlone = main.orderType === 'buy_now' && line?.quantity === 1 && others.length + legs.length === 0;
  if (!isAlone) throw invalid('booking_ref: a deposit is one unit of one item, taken at once');
  if (body.promo_code || body.voucher_id || body.tip_pence)
    throw invalid('booking_ref: a deposit is paid without a promo code, a voucher and a tip');
  return body.booking_ref;
}

/** Whether the order's own lines are eaten in; legs never are. Throws VALIDATION_FAILED for a contradiction. */
function eatInOf(body: PlacingRequest): boolean {
  const atTable = body.fulfilment?.mode === 'table';
  const { main, legs } = basketOf(body);
  const isCollected = main.orderType === 'collect' && legs.length === 0;
  if (atTable && body.eat_in === false) throw invalid('eat_in: what is served at a table is eaten in');
  if (!atTable && isCollected && body.eat_in) throw invalid('eat_in: what is collected is taken away');
  return atTable || (body.eat_in ?? false);
}

/** Reads a basket from a request. Throws VALIDATION_FAILED or GROUPS_MISMATCH, naming the field, for contradictions. */
export function basketOf(request: BasketRequest): Basket {
  const groups = request.fulfilment_groups ?? [];
  if (groups.length === 0) return { main: partOf(request, mergeLines(request.items), request.order_type, ''), legs: [] };
  const now = groups.filter(({ role }) => role === 'now');
  const collect = groups.filter(({ role }) => role === 'collect');
  if (now.length > 1) throw mismatch('fulfilment_groups: at most one group is taken now');
  if (collect.length < 1 || collect.length > mostLegs) throw mismatch(`fulfilment_groups: needs 1 to ${mostLegs} groups to collect`);
  for (const field of ['slot_id', 'requested_collection_at'] as const) {
    if (request[field]) throw mismatch(`${field}: belongs into the group it is meant for`);
  }
  const summed = mergeLines(groups.flatMap(({ items }) => items));
  if (request.items.length > 0 && !same(mergeLines(request.items), summed)) throw mismatch('items: must be empty or the sum of the groups');
  const taken = now[0];
  if (taken) checkNoTime(taken, `fulfilment_groups[${groups.indexOf(taken)}].`);
  return {
    main: { orderType: 'buy_now', collectionMode: null, lines: mergeLines(taken?.items ?? []), slotId: null, collectAt: null },
    legs: groups.flatMap((group, n) =>
      group.role === 'collect' ? [partOf(group, mergeLines(group.items), 'collect', `fulfilment_groups[${n}].`)] : [],
    ),
  };
}

function partOf(when: When, lines: readonly RequestedLine[], orderType: 'buy_now' | 'collect' | undefined, path: string): Part {
  const slotId = when.slot_id ?? null;
  const collectAt = when.requested_collection_at ?? null;
  const timed = slotId !== null || collectAt !== null;
  const type = orderType ?? (when.collection_mode || timed ? 'collect' : 'buy_now');
  if (type === 'buy_now') {
    checkNoTime(when, path);
    return { orderType: type, collectionMode: null, lines, slotId, collectAt };
  }
  const mode = when.collection_mode ?? (timed ? 'scheduled' : 'now');
  if (mode === 'now') checkNoTime({ slot_id: slotId, requested_collection_at: collectAt }, path);
  else if (!timed) throw invalid(`${path}slot_id: is required for a scheduled collection, or requested_collection_at within a slot`);
  return { orderType: type, collectionMode: mode, lines, slotId, collectAt };
}

function checkNoTime(when: When, path: string): void {
  if (when.collection_mode === 'scheduled') throw invalid(`${path}collection_mode: what is taken at once has no schedule`);
  for (const field of ['slot_id', 'requested_collection_at'] as const) {
    if (when[field]) throw invalid(`${path}${field}: is only for collection_mode scheduled`);
  }
}

const same = (a: readonly RequestedLine[], b: readonly RequestedLine[]) =>
  a.length === b.length && a.every((line) => b.some((other) => goodsOf(other) === goodsOf(line) && other.quantity === line.quantity));
const mismatch = (message: string) => new Problem('GROUPS_MISMATCH', { message: `${message}.` });
const invalid = (message: string) => new Problem('VALIDATION_FAILED', { message: `${message}.` });

interface SentLine {
  readonly menu_item_id: string;
  readonly quantity: number;
  readonly choices?: readonly string[] | undefined;
  readonly note?: string | null | undefined;
}

export interface RequestedLine {
  readonly menu_item_id: string;
  readonly quantity: number;
  readonly choices: readonly string[];
  readonly note: string | null;
}

/** Merges lines of the same item with the same choices and note, in the order of their first occurrence. */
export function mergeLines(lines: readonly SentLine[]): RequestedLine[] {
  const merged = new Map<string, RequestedLine>();
  for (const { menu_item_id, quantity, choices = [], note } of lines) {
    const line = { menu_item_id, quantity, choices: choices.toSorted(), note: note || null };
    const goods = goodsOf(line);
    merged.set(goods, { ...line, quantity: (merged.get(goods)?.quantity ?? 0) + quantity });
  }
  return [...merged.values()];
}

export const goodsOf = ({ menu_item_id, choices, note }: Omit<RequestedLine, 'quantity'>): string =>
  JSON.stringify([menu_item_id, choices, note]);
