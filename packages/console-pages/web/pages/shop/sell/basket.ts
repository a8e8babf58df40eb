import type { components } from '@corner/client';
import { rulesOfCurrency } from '@corner/contracts/currencies';

export type MenuItem = components['schemas']['StoreMenuItem'];

/**
 * Lines of one item with the same choices are one; choices are in the order of the item’s options. The name has the choices in brackets,
 * and `pence` is the price of one with them. `byPlace`: its VAT depends on whether it is eaten in.
 */
export interface Line {
  readonly itemId: string;
  readonly choices: readonly string[];
  readonly name: string;
  readonly pence: number;
  readonly quantity: number;
  readonly byPlace: boolean;
}

const most = 99;

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

export const withLine = (lines: readonly Line[], added: Line): readonly Line[] =>
  lines.some((line) => isSame(line, added))
    ? lines.map((line) => (isSame(line, added) ? { ...line, quantity: Math.min(most, line.quantity + added.quantity) } : line))
    : [...lines, added];

export const counted = (lines: readonly Line[], n: number, by: 1 | -1): readonly Line[] =>
  lines.flatMap((line, index) => {
    const quantity = index === n ? Math.min(most, line.quantity + by) : line.quantity;
    return quantity === 0 ? [] : [{ ...line, quantity }];
  });

export const repriced = (lines: readonly Line[], items: readonly MenuItem[]): readonly Line[] =>
  lines.map((line) => {
    const item = items.find(({ id }) => id === line.itemId);
    const again = item && lineOf(item, line.choices);
    return again && isSame(again, line) ? { ...again, quantity: line.quantity } : line;
  });

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { pence, quantity }) => sum + pence * quantity, 0);

export const asksPlace = (lines: readonly Line[]): boolean => lines.some(({ byPlace }) => byPlace);

export function toggled(item: MenuItem, chosen: readonly string[], choiceId: string): readonly string[] {
  if (chosen.includes(choiceId)) return chosen.filter((id) => id !== choiceId);
  const option = item.options.find(({ choices }) => choices.some(({ id }) => id === choiceId));
  if (!option || option.max < 1) return chosen;
  const own = chosen.filter((id) => option.choices.some((choice) => choice.id === id));
  const kept = own.slice(Math.max(0, own.length - option.max + 1));
  return [...chosen.filter((id) => !own.includes(id)), ...kept, choiceId];
}

export const missing = (item: MenuItem, chosen: readonly string[]): string | null =>
  item.options.find(({ min, choices }) => choices.filter(({ id }) => chosen.includes(id)).length < min)?.name ?? null;

export const groupsOf = (items: readonly MenuItem[]): readonly (readonly [name: string | null, items: readonly MenuItem[]])[] => [
  ...Map.groupBy(items, ({ category }) => category),
];

export function cashFor(pence: number, currency: string): readonly number[] {
  const unit = 10 ** rulesOfCurrency(currency).decimals * (rulesOfCurrency(currency).decimals === 0 ? 100 : 1);
  const sums = [5, 10, 20, 50].map((note) => Math.ceil(pence / (note * unit)) * note * unit);
  return [pence, ...new Set(sums.filter((sum) => sum > pence))].slice(0, 4);
}

export const itemsOf = (lines: readonly Line[]) =>
  lines.map(({ itemId, quantity, choices }) => ({
    menu_item_id: itemId,
    quantity,
    ...(choices.length > 0 ? { choices: [...choices] } : {}),
  }));

export const inWords = (lines: readonly Line[]): string =>
  lines.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} ${name}`)).join(', ');
