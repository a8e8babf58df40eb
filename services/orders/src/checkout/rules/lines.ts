import { formatMoney, isWholeSteps, Problem } from '@corner/contracts';
import type { RequestedLine } from './basket.ts';
import { rateOf, type VatByPlace, type VatPart, vatPartsOf } from './vat.ts';

interface Option {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly choices: readonly {
    readonly id: string;
    readonly name: string;
    readonly price_pence: number;
    readonly available: boolean;
    readonly vat?: VatByPlace | null | undefined;
  }[];
}

/** An item of a menu, or a choice of its options. A null stock is not counted. */
export interface MenuItem {
  readonly id: string;
  readonly kind: 'item' | 'choice';
  readonly name: string;
  readonly price_pence: number;
  /** VAT rates are in hundredths of a percent; null when the menu names none. `vat` overrides the rate by whether the item is eaten in. */
  readonly vat_rate_bps: number | null;
  readonly vat?: VatByPlace | null | undefined;
  readonly prep_minutes: number;
  readonly available: boolean;
  readonly stock: number | null;
  readonly options: readonly Option[];
  /** Minutes of work on one; null where the menu does not say. */
  readonly make_minutes?: number | null;
}

export interface PricedLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  /** Prices are of one unit with its choices. `vat_parts` splits that price by rate; null when all of it has the item's rate. */
  readonly unit_price_pence: number;
  readonly vat_rate_bps: number | null;
  readonly vat_parts: readonly VatPart[] | null;
  readonly choices: readonly ChosenPart[] | null;
  readonly note: string | null;
}

interface ChosenPart {
  readonly option: string;
  readonly choice_id: string;
  readonly name: string;
  readonly price_pence: number;
}

/**
 * Prices lines from the menu, each with its choices, and chooses the rates of its VAT: nothing later decides them again. Throws
 * ITEM_NOT_FOUND, naming the first item or choice that is not on it, or whose price cannot be charged in the store's currency, and
 * CHOICES_INVALID.
 */
export function priceLines(lines: readonly RequestedLine[], menu: readonly MenuItem[], currency: string, eatIn = false): PricedLine[] {
  return lines.map(({ menu_item_id, quantity, choices: chosen, note }) => {
    const item = menu.find(({ id, kind, available }) => id === menu_item_id && kind === 'item' && available);
    if (!item) throw new Problem('ITEM_NOT_FOUND', { message: `items: ${menu_item_id} is not on the menu.` });
    const chosenParts = chooseParts(item, chosen);
    const choices = chosenParts.map(({ vat: _, ...choice }) => choice);
    const unit_price_pence = item.price_pence + choices.reduce((sum, { price_pence }) => sum + price_pence, 0);
    if (!isWholeSteps(unit_price_pence, currency)) {
      const price = inWords(unit_price_pence, currency);
      throw new Problem('ITEM_NOT_FOUND', {
        message: `items: ${menu_item_id} cannot be ordered, because no card can be charged ${price}.`,
      });
    }
    const vat_rate_bps = rateOf(item, eatIn);
    const vat_parts = vatPartsOf(item.price_pence, vat_rate_bps, chosenParts, eatIn);
    return {
      menu_item_id,
      name: item.name,
      quantity,
      unit_price_pence,
      vat_rate_bps,
      vat_parts,
      choices: choices.length > 0 ? choices : null,
      note,
    };
  });
}

/**
 * Returns the chosen choices of an item, in the order of its options. Throws ITEM_NOT_FOUND for one that it does not have or that is not
 * offered, and CHOICES_INVALID when an option has too few or too many.
 */
function chooseParts({ id, name, options }: MenuItem, chosen: readonly string[]): (ChosenPart & Pick<Option['choices'][number], 'vat'>)[] {
  const offered = options.map((option) => ({ ...option, choices: option.choices.filter(({ available }) => available) }));
  const unknown = chosen.find((wanted) => !offered.some(({ choices }) => choices.some((choice) => choice.id === wanted)));
  if (unknown !== undefined) throw new Problem('ITEM_NOT_FOUND', { message: `items: ${id} has no choice ${unknown}.` });
  return offered.flatMap(({ name: option, min, max, choices }) => {
    const own = choices.filter((choice) => chosen.includes(choice.id));
    if (own.length < min || own.length > max) {
      const wanted = min === max ? `${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`;
      throw new Problem('CHOICES_INVALID', { message: `items: ${name} takes ${wanted} of ${option}, and choices has ${own.length}.` });
    }
    return own.map(({ id: choice_id, name: chosenName, price_pence, vat }) => ({ option, choice_id, name: chosenName, price_pence, vat }));
  });
}

export const subtotalOf = (lines: readonly PricedLine[]): number =>
  lines.reduce((sum, { quantity, unit_price_pence }) => sum + quantity * unit_price_pence, 0);

export const itemPrice = ({ unit_price_pence, choices }: PricedLine): number =>
  (choices ?? []).reduce((price, { price_pence }) => price - price_pence, unit_price_pence);

export const prepMinutesOf = (lines: readonly Pick<RequestedLine, 'menu_item_id'>[], menu: readonly MenuItem[]): number =>
  Math.max(0, ...lines.map(({ menu_item_id }) => menu.find(({ id }) => id === menu_item_id)?.prep_minutes ?? 0));

export const inWords = (pence: number, currency: string): string => formatMoney(pence, currency, 'en-GB');

export const refsOf = ({ menu_item_id, choices }: PricedLine): readonly string[] => [
  menu_item_id,
  ...(choices ?? []).map(({ choice_id }) => choice_id),
];

export function unitsOf(lines: readonly PricedLine[]): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  for (const line of lines) for (const ref of refsOf(line)) units.set(ref, (units.get(ref) ?? 0) + line.quantity);
  return units;
}
