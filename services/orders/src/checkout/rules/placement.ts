import { type OrderChannel, Problem, type ProviderMode } from '@corner/contracts';
import { earliestInSlot, quarterOf, quartersOfSlot, quartersToday, unitsToMake, usualCapacity, type WantedPace } from '../../shop/index.ts';
import type { CheckedBasket, CheckedPart, Stocked } from './check-basket.ts';
import type { OrderLimits } from './limits.ts';
import { inWords, type PricedLine, unitsOf } from './lines.ts';
import { type OfflineOutcome, offlineInWords } from './offline.ts';
import { type OrderPrice, type Price, type Promo, priceBasket, type Reward } from './pricing.ts';

export interface PartToPlace {
  readonly id: string;
  readonly orderType: 'buy_now' | 'collect';
  readonly collectionMode: 'now' | 'scheduled' | null;
  readonly slotId: string | null;
  /** ISO 8601, see {@link earliestInSlot}. Null for an unscheduled part, whose time is set when it is paid. */
  readonly collectAt: string | null;
  readonly prepMinutes: number;
  readonly lines: readonly PricedLine[];
  readonly price: Price;
}

export interface Placement {
  readonly storeId: string;
  /** The count at which the basket was checked: if it has changed, a switch of the store was changed since. */
  readonly switches: number;
  /** For a sale without a customer, the id of the order. */
  readonly customerId: string;
  readonly withoutCustomer: boolean;
  readonly channel: OrderChannel;
  /** Who placed it at the counter; null for a customer's own order. */
  readonly placedBy: { readonly id: string; readonly name: string | null } | null;
  readonly key: string;
  readonly fingerprint: string;
  readonly mode: 'counter' | 'table';
  readonly tableNumber: string | null;
  readonly eatIn: boolean;
  /** Its price covers all parts together; its lines are its own. */
  readonly main: PartToPlace & { readonly price: OrderPrice };
  readonly legs: readonly PartToPlace[];
  readonly offline: (OfflineOutcome & { readonly inWords: string }) | null;
  readonly counted: ReadonlySet<string>;
  readonly paced: PacedParts | null;
  readonly promo: Pick<Promo, 'id' | 'code' | 'label' | 'first_order_only'> | null;
  readonly voucherId: string | null;
  readonly bookingRef: string | null;
  /** Keyed hashes of the customer's device and address, hexadecimal; null when unknown. */
  readonly deviceHash: string | null;
  readonly addressHash: string | null;
  /** Whether it is to be paid by a customer who has paid nothing before. */
  readonly isUnproven: boolean;
  readonly limits: OrderLimits;
  readonly connectedAccountId: string;
  readonly paymentMode: ProviderMode;
  readonly onBehalfOf: boolean;
  readonly currency: string;
  readonly placedAt: Date;
  readonly payUntil: Date;
}

interface PacedParts {
  /** What the kitchen makes in a quarter of an hour that staff have not changed. */
  readonly usual: number;
  /** By their first quarters: two orders at once take rows of quarters in one order. */
  readonly wanted: readonly WantedPace[];
}

export interface PlacementRequest
  extends Pick<
    Placement,
    | 'customerId'
    | 'withoutCustomer'
    | 'channel'
    | 'placedBy'
    | 'key'
    | 'fingerprint'
    | 'mode'
    | 'tableNumber'
    | 'eatIn'
    | 'voucherId'
    | 'bookingRef'
    | 'deviceHash'
    | 'addressHash'
    | 'limits'
    | 'placedAt'
    | 'paymentMode'
  > {
  readonly tipPence: number;
  readonly usesPromo: boolean;
  readonly reward: Reward | null;
  /** Minutes it keeps its holds while it is unpaid: of a phone's order, while no one has tried to pay it. */
  readonly holdMinutes: number;
  /** The total that the customer was shown; null when the app did not say. */
  readonly expectedTotalPence: number | null;
  /** The quarter of an hour that the customer was shown for what is made now; null when the app did not say. */
  readonly expectedReadyFrom: string | null;
  readonly ids: readonly [string, ...string[]];
}

/** Prices a checked basket and completes the order. Throws PRICE_CHANGED and the problems of {@link priceBasket}. */
export function decidePlacement(checked: CheckedBasket, stocked: Stocked, request: PlacementRequest): Placement {
  const { store, main, legs, offline } = checked;
  const { customerId, withoutCustomer, channel, placedBy, key, fingerprint, mode, tableNumber, voucherId } = request;
  const { deviceHash, addressHash, limits, placedAt } = request;
  const isByPhone = channel === 'phone';
  const price = priceBasket(
    [main, ...legs],
    { reward: request.reward, promo: request.usesPromo ? promoOf(stocked, withoutCustomer) : null },
    {
      currency: store.currency,
      tipPence: request.tipPence,
      feeBps: isByPhone ? store.fee_bps : 0,
      now: placedAt,
      isPaidAtCounter: !isByPhone,
    },
  );
  const { totalPence } = price.main;
  if (request.expectedTotalPence !== null && request.expectedTotalPence !== totalPence) {
    const message = `expected_total_pence: the total is ${inWords(totalPence, store.currency)} by now.`;
    throw new Problem('PRICE_CHANGED', { message, totalPence });
  }
  const [mainId, ...legIds] = request.ids;
  return {
    storeId: store.id,
    switches: store.switches,
    customerId,
    withoutCustomer,
    channel,
    placedBy,
    key,
    fingerprint,
    mode,
    tableNumber,
    eatIn: request.eatIn,
    main: { ...partToPlace(mainId, main, price.main, placedAt), price: price.main },
    legs: legs.map((leg, n) => partToPlace(legIds[n] as string, leg, price.legs[n] as Price, placedAt)),
    offline: offline && { ...offline, inWords: offlineInWords(offline.sale, store.currency, store.time_zone) },
    counted: new Set(stocked.items.filter(({ stock }) => stock !== null).map((item) => item.id)),
    paced: pacedParts(checked, stocked, request),
    promo: request.usesPromo ? stocked.promo : null,
    voucherId,
    bookingRef: request.bookingRef,
    paymentMode: request.paymentMode,
    deviceHash,
    addressHash,
    isUnproven: isByPhone && !stocked.is_proven && totalPence > 0,
    limits,
    connectedAccountId: store.connected_account_id,
    onBehalfOf: store.on_behalf_of,
    currency: store.currency,
    placedAt,
    payUntil: new Date(placedAt.getTime() + request.holdMinutes * 60_000),
  };
}

const promoOf = ({ promo, has_paid_before, device_used_first_order_code }: Stocked, withoutCustomer: boolean) => ({
  found: promo,
  isFirstOrder: !withoutCustomer && !has_paid_before && !device_used_first_order_code,
});

const partToPlace = (
  id: string,
  { orderType, collectionMode, slot, lines, prepMinutes }: CheckedPart,
  price: Price,
  placedAt: Date,
): PartToPlace => ({
  id,
  orderType,
  collectionMode,
  slotId: slot?.id ?? null,
  collectAt: slot && earliestInSlot(slot, prepMinutes, placedAt),
  prepMinutes,
  lines,
  price,
});

/** Null at a store without a pace. An offline sale is made already, and staff who sell at the counter take from this quarter, full or not. */
function pacedParts({ store, main, legs, offline }: CheckedBasket, { items }: Stocked, request: PlacementRequest): PacedParts | null {
  const { ids, channel, placedAt, expectedReadyFrom: expected } = request;
  const { pace } = store;
  if (!pace || offline) return null;
  const today = channel === 'counter' ? [quarterOf(placedAt).toISOString()] : quartersToday(store, placedAt);
  const wanted = [main, ...legs].map(({ slot, lines, prepMinutes }, n): WantedPace => {
    const part = { order_id: ids[n] as string, units: unitsToMake(pace, unitsOf(lines), items), prep_minutes: prepMinutes };
    return slot
      ? { ...part, quarters: quartersOfSlot(slot, placedAt), expected: null, refusal: 'SLOT_JUST_FILLED' }
      : { ...part, quarters: today, expected, refusal: 'NO_CAPACITY_TODAY' };
  });
  const firstOf = ({ quarters: [first = ''] }: WantedPace) => first;
  return {
    usual: usualCapacity(pace),
    wanted: wanted.filter(({ units }) => units > 0).toSorted((a, b) => firstOf(a).localeCompare(firstOf(b))),
  };
}

export interface Hold {
  readonly order_id: string;
  readonly kind: 'slot' | 'stock' | 'promo';
  readonly ref: string;
  readonly quantity: number;
}

export function holdsOf({ main, legs, counted, promo, offline }: Placement): readonly Hold[] {
  return [main, ...legs].flatMap((part): Hold[] => [
    ...(part.slotId ? [{ order_id: part.id, kind: 'slot' as const, ref: part.slotId, quantity: 1 }] : []),
    ...[...unitsOf(part.lines)]
      .filter(([ref]) => counted.has(ref))
      // Units beyond the stock of an offline sale hold nothing.
      .map(([ref, units]) => ({ order_id: part.id, kind: 'stock' as const, ref, quantity: units - (offline?.beyond.get(ref) ?? 0) }))
      .filter(({ quantity }) => quantity > 0),
    ...(promo && part === main ? [{ order_id: part.id, kind: 'promo' as const, ref: promo.id, quantity: 1 }] : []),
  ]);
}
