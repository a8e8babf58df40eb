import type { components } from '@corner/client';
import { rulesOfCurrency } from '@corner/contracts/currencies';

export type MenuItem = components['schemas']['StoreMenuItem'];

/** A line of the basket. Lines of one item with the same choices are one. */
export interface Line {
  readonly itemId: string;
  /** Ids of its choices, in the order of the item’s options. */
  readonly choices: readonly string[];
  /** The item, with its choices in brackets. */
  readonly name: string;
  /** The price of one, with its choices. */
  readonly pence: number;
  readonly quantity: number;
  /** Whether its VAT depends on whether it is eaten in. */
  readonly byPlace: boolean;
}

const most = 99;

/** Returns a line of one of an item. Choices that the item does not have are left out. */
export function lineOf(item: MenuItem, chosen: readonly string[]): Line {
  const choices = item.options.flatMap((option) => option.choices.filter(({ id }) => chosen.includes(id)));
  return {
    itemId: item.id,
    choices: choices.map(({ id }) => id),
    name: choices.length === 0 ? item.name : `${item.name} (${choices.map(({ name }) => name).join(', ')})`,
    pence: choices.reduce((sum, { price_pence }) => sum + price_pence, item.price_pence),
    quantity: 1,
    byPlace: item.vat_by_place === true,
  };
}

const isSame = (a: Line, b: Line): boolean => a.itemId === b.itemId && a.choices.join(' ') === b.choices.join(' ');

/** Adds a line to the end, or to the line that is the same. */
export const withLine = (lines: readonly Line[], added: Line): readonly Line[] =>
  lines.some((line) => isSame(line, added))
    ? lines.map((line) => (isSame(line, added) ? { ...line, quantity: Math.min(most, line.quantity + added.quantity) } : line))
    : [...lines, added];

/** Changes the quantity of the nth line by one or minus one; a line of none goes. */
export const counted = (lines: readonly Line[], n: number, by: 1 | -1): readonly Line[] =>
  lines.flatMap((line, index) => {
    const quantity = index === n ? Math.min(most, line.quantity + by) : line.quantity;
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });

/** Prices lines by a menu that was read again. A line of an item that it no longer has stays as it was shown. */
export const repriced = (lines: readonly Line[], items: readonly MenuItem[]): readonly Line[] =>
  lines.map((line) => {
    const item = items.find(({ id }) => id === line.itemId);
    const again = item && lineOf(item, line.choices);
    return again && isSame(again, line) ? { ...again, quantity: line.quantity } : line;
  });

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { pence, quantity }) => sum + pence * quantity, 0);

/** Whether it must be said if the basket is eaten in or taken away: some of it has two rates. */
export const asksPlace = (lines: readonly Line[]): boolean => lines.some(({ byPlace }) => byPlace);

/** Chooses or drops a choice. Of an option that takes one, and of one that is full, the choice before gives way. */
export function toggled(item: MenuItem, chosen: readonly string[], choiceId: string): readonly string[] {
  if (chosen.includes(choiceId)) return chosen.filter((id) => id !== choiceId);
  const option = item.options.find(({ choices }) => choices.some(({ id }) => id === choiceId));
  if (!option || option.max < 1) return chosen;
  const own = chosen.filter((id) => option.choices.some((choice) => choice.id === id));
  const kept = own.slice(Math.max(0, own.length - option.max + 1));
  return [...chosen.filter((id) => !own.includes(id)), ...kept, choiceId];
}

/** The name of the first option that lacks a choice; null when the item can be added. */
export const missing = (item: MenuItem, chosen: readonly string[]): string | null =>
  item.options.find(({ min, choices }) => choices.filter(({ id }) => chosen.includes(id)).length < min)?.name ?? null;

/** The parts of a menu in its order; items without one are in the part that has no name. */
export const groupsOf = (items: readonly MenuItem[]): readonly (readonly [name: string | null, items: readonly MenuItem[]])[] => [
  ...Map.groupBy(items, ({ category }) => category),
];

/** What a customer may hand over for an amount, at most four: itself, and the next sums of notes. */
export function cashFor(pence: number, currency: string): readonly number[] {
  const unit = 10 ** rulesOfCurrency(currency).decimals * (rulesOfCurrency(currency).decimals === 0 ? 100 : 1);
  const sums = [5, 10, 20, 50].map((note) => Math.ceil(pence / (note * unit)) * note * unit);
  return [pence, ...new Set(sums.filter((sum) => sum > pence))].slice(0, 4);
}

/** The lines as an operation takes them. */
export const itemsOf = (lines: readonly Line[]) =>
  lines.map(({ itemId, quantity, choices }) => ({
    menu_item_id: itemId,
    quantity,
    ...(choices.length > 0 ? { choices: [...choices] } : {}),
  }));

/** The basket in words: "2 Flat white (Oat milk), Croissant". */
export const inWords = (lines: readonly Line[]): string =>
  lines.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} ${name}`)).join(', ');
