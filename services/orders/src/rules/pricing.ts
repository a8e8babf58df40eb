import { Problem } from '@corner/contracts';

/** A line as asked for. */
export interface Wanted {
  readonly menu_item_id: string;
  readonly quantity: number;
}

/** A menu item as it is now. */
export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly price_pence: number;
  readonly prep_minutes: number;
  readonly available: boolean;
  readonly stock: number | null;
}

export interface PricedLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price_pence: number;
}

/** Pence below which a card cannot be charged. */
const chargeMinimumPence = 30;

/** Lines of one item become one, in the order they first came. */
export function mergeLines(lines: readonly Wanted[]): Wanted[] {
  const merged = new Map<string, number>();
  for (const { menu_item_id, quantity } of lines) merged.set(menu_item_id, (merged.get(menu_item_id) ?? 0) + quantity);
  return [...merged].map(([menu_item_id, quantity]) => ({ menu_item_id, quantity }));
}

/** Prices lines from the menu alone. Throws ITEM_NOT_FOUND that names what is not on it. */
export function priceLines(lines: readonly Wanted[], menu: readonly MenuItem[]): PricedLine[] {
  return lines.map(({ menu_item_id, quantity }) => {
    const item = menu.find(({ id, available }) => id === menu_item_id && available);
    if (!item) throw new Problem('ITEM_NOT_FOUND', { message: `items: ${menu_item_id} is not on the menu.` });
    return { menu_item_id, name: item.name, quantity, unit_price_pence: item.price_pence };
  });
}

export interface Price {
  readonly subtotalPence: number;
  readonly voucherDiscountPence: number;
  readonly promoDiscountPence: number;
  readonly tipPence: number;
  readonly totalPence: number;
  /** The platform's share of what goes to the store; the tip is all the store's. */
  readonly feePence: number;
}

/** Subtotal, then voucher, then promo on the rest, then the tip. Throws AMOUNT_BELOW_MINIMUM for what no card can carry. */
export function priceOrder(
  lines: readonly PricedLine[],
  {
    tipPence,
    feeBps,
    voucherPence = 0,
    promoPence = 0,
  }: { readonly tipPence: number; readonly feeBps: number; readonly voucherPence?: number; readonly promoPence?: number },
): Price {
  const subtotalPence = lines.reduce((sum, { quantity, unit_price_pence }) => sum + quantity * unit_price_pence, 0);
  const voucherDiscountPence = Math.min(voucherPence, subtotalPence);
  const promoDiscountPence = Math.min(promoPence, subtotalPence - voucherDiscountPence);
  const goodsPence = subtotalPence - voucherDiscountPence - promoDiscountPence;
  const totalPence = goodsPence + tipPence;
  if (totalPence > 0 && totalPence < chargeMinimumPence) {
    throw new Problem('AMOUNT_BELOW_MINIMUM', {
      message: `The total is ${totalPence} pence; a card can carry ${chargeMinimumPence} or more.`,
    });
  }
  return {
    subtotalPence,
    voucherDiscountPence,
    promoDiscountPence,
    tipPence,
    totalPence,
    feePence: Math.floor((goodsPence * feeBps + 5_000) / 10_000),
  };
}

/** Minutes the slowest line takes. */
export const prepMinutesOf = (lines: readonly Wanted[], menu: readonly MenuItem[]): number =>
  Math.max(0, ...lines.map(({ menu_item_id }) => menu.find(({ id }) => id === menu_item_id)?.prep_minutes ?? 0));
