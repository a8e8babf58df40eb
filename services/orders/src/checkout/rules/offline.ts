import { formatMoney, type OfflineSale, Problem } from '@corner/contracts';
import { type ItemSwitches, isMarkedSoldOut, timeAtStore, unitsLeft } from '../../shop/index.ts';
import { goodsOf, mergeLines, type PlacingRequest, type RequestedLine } from './basket.ts';
import { type MenuItem, type PricedLine, priceLines } from './lines.ts';

/** A sale that a till made without a connection. `shown` has the unit prices that the till displayed, by item or choice. */
export interface SoldOffline {
  readonly soldAt: Date;
  readonly shown: ReadonlyMap<string, number>;
}

interface OfflineRequest extends PlacingRequest {
  readonly offline?: { readonly sold_at: string; readonly unit_prices_pence: readonly number[] } | undefined;
  readonly tenders?: readonly { readonly kind: string }[] | undefined;
}

/** Reads what a till sold without a connection; null for any other sale. Throws VALIDATION_FAILED, naming the field. */
export function soldOffline(body: OfflineRequest, now: Date): SoldOffline | null {
  const { offline, tenders, items } = body;
  if (!offline) return null;
  if (!tenders?.every(({ kind }) => kind === 'cash' || kind === 'none'))
    throw invalid('tenders: a sale without a connection is paid in cash');
  for (const field of ['voucher_id', 'promo_code', 'slot_id', 'requested_collection_at'] as const)
    if (body[field]) throw invalid(`${field}: is not for a sale without a connection`);
  if (body.fulfilment_groups?.length) throw invalid('fulfilment_groups: are not for a sale without a connection');
  const prices = offline.unit_prices_pence;
  if (prices.length !== items.length) throw invalid(`offline.unit_prices_pence: must have a price for each of the ${items.length} items`);
  const shown = new Map<string, number>();
  for (const [n, price] of prices.entries()) {
    const [line] = mergeLines(items.slice(n, n + 1));
    if (!line) continue;
    const goods = goodsOf(line);
    if ((shown.get(goods) ?? price) !== price) throw invalid(`offline.unit_prices_pence: ${line.menu_item_id} has two prices`);
    shown.set(goods, price);
  }
  return { soldAt: new Date(Math.min(Date.parse(offline.sold_at), now.getTime())), shown };
}

/** A repeat within this time counts as a first arrival, not as an earlier sale. */
const leastSecondsAgo = 5;

/**
 * Returns a paid sale that is sent again because its first response was lost, as one that was made without a connection, at the prices of
 * the menu. Null for one that has only just been made, and for one with a voucher, a code, a slot or groups.
 */
export function soldBefore({ tenders, ...body }: OfflineRequest, secondsAgo: number, now: Date): SoldOffline | null {
  const isPlain = !(body.voucher_id || body.promo_code || body.slot_id || body.requested_collection_at || body.fulfilment_groups?.length);
  if (!tenders || secondsAgo < leastSecondsAgo || !isPlain) return null;
  return { soldAt: new Date(now.getTime() - secondsAgo * 1_000), shown: new Map() };
}

const invalid = (message: string) => new Problem('VALIDATION_FAILED', { message: `${message}.` });

/**
 * Prices lines as a till showed them, including items no longer offered, with any choices of their options. VAT rates are the menu's.
 * Throws ITEM_NOT_FOUND for an item that the menu never had.
 */
export const priceAsShown = (
  lines: readonly RequestedLine[],
  menu: readonly MenuItem[],
  currency: string,
  { eatIn, shown }: { readonly eatIn: boolean; readonly shown: SoldOffline['shown'] },
): PricedLine[] =>
  lines.flatMap((line) => {
    const pence = shown.get(goodsOf(line));
    return priceLines([line], pence === undefined ? menu : menu.map((item) => asShown(item, line, pence)), currency, eatIn);
  });

/** Adjusts an item so that its line costs the shown price. The item bears the difference, unless its choices alone cost more. */
function asShown(item: MenuItem, { choices }: RequestedLine, pence: number): MenuItem {
  const ofChoices = item.options
    .flatMap((option) => option.choices)
    .reduce((sum, { id, price_pence }) => sum + (choices.includes(id) ? price_pence : 0), 0);
  const isLess = pence < ofChoices;
  return {
    ...item,
    available: true,
    price_pence: isLess ? pence : pence - ofChoices,
    options: item.options.map((option) => ({
      ...option,
      min: 0,
      max: option.choices.length,
      choices: option.choices.map((choice) => ({ ...choice, available: true, price_pence: isLess ? 0 : choice.price_pence })),
    })),
  };
}

type Differences = (typeof OfflineSale)['_zod']['output']['differences'];

/** How an offline sale differs from the menu, and how many units of each item or choice exceed its stock. */
export interface OfflineOutcome {
  readonly sale: (typeof OfflineSale)['_zod']['output'];
  readonly beyond: ReadonlyMap<string, number>;
}

export interface SoldGoods {
  readonly lines: readonly PricedLine[];
  readonly items: readonly (MenuItem & ItemSwitches)[];
  readonly units: ReadonlyMap<string, number>;
  readonly currency: string;
}

export function outcomeOfOffline({ soldAt }: SoldOffline, { lines, items, units, currency }: SoldGoods, now: Date): OfflineOutcome {
  const beyond = new Map<string, number>();
  const differences: Differences[number][] = [];
  for (const item of items) {
    const wanted = units.get(item.id) ?? 0;
    if (wanted === 0) continue;
    const missing = Math.max(0, wanted - (unitsLeft(item) ?? wanted));
    if (missing > 0) beyond.set(item.id, missing);
    const quantity = isMarkedSoldOut(item, now) ? wanted : missing;
    if (quantity > 0) differences.push({ why: 'sold_out', name: item.name, quantity, menu_pence: null });
    if (!item.available) differences.push({ why: 'off_menu', name: item.name, quantity: wanted, menu_pence: null });
  }
  for (const line of lines) {
    const menu_pence = menuPrice(line, items, currency);
    if (menu_pence !== null && menu_pence !== line.unit_price_pence)
      differences.push({ why: 'price', name: line.name, quantity: line.quantity, menu_pence });
  }
  return { sale: { sold_at: soldAt.toISOString(), differences }, beyond };
}

/** Returns the menu's unit price; null when the line is no longer offered as it was sold. */
function menuPrice(line: PricedLine, items: readonly MenuItem[], currency: string): number | null {
  const choices = (line.choices ?? []).map(({ choice_id }) => choice_id);
  try {
    const [onMenu] = priceLines([{ ...line, choices }], items, currency);
    return onMenu?.unit_price_pence ?? null;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

export function offlineInWords({ sold_at, differences }: OfflineOutcome['sale'], currency: string, timeZone: string): string {
  const inWords = ({ why, name, quantity, menu_pence }: Differences[number]): string => {
    switch (why) {
      case 'sold_out':
        return `${quantity} ${name} although sold out by then.`;
      case 'off_menu':
        return `${name} is no longer on the menu.`;
      case 'price':
        return `${name} is ${formatMoney(menu_pence ?? 0, currency, 'en-GB')} on the menu by now.`;
      default:
        return why satisfies never;
    }
  };
  return [`Sold at ${timeAtStore(new Date(sold_at), timeZone)}.`, ...differences.map(inWords)].join(' ');
}
