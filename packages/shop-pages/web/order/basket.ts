import type { components } from '@corner/client';

export type MenuItem = components['schemas']['StoreMenuItem'];
export type MenuOption = MenuItem['options'][number];
export type MenuChoice = MenuOption['choices'][number];

/** Choices are sorted ids; an empty note means no note. The name is stored for an item that leaves the menu. */
export interface BasketLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly choices: readonly string[];
  readonly note: string;
}

export interface Basket {
  readonly lines: readonly BasketLine[];
  /** Null at the counter. `table_at`, the time of the scan, is in epoch milliseconds. */
  readonly table: string | null;
  readonly table_at: number;
  /** Null for as soon as possible. */
  readonly slot_id: string | null;
  readonly tip_pence: number;
  readonly tip_percent: number | null;
  readonly promo_code: string;
  readonly voucher_id: string | null;
}

export const emptyBasket: Basket = {
  lines: [],
  table: null,
  table_at: 0,
  slot_id: null,
  tip_pence: 0,
  tip_percent: null,
  promo_code: '',
  voucher_id: null,
};

export const mostOfOne = 99;
const mostLines = 100;
const tableMs = 4 * 60 * 60_000;

export const lineKey = ({ menu_item_id, choices, note }: BasketLine): string => JSON.stringify([menu_item_id, choices, note]);

export function addLine(basket: Basket, added: BasketLine): Basket {
  const line = { ...added, choices: [...added.choices].sort(), note: added.note.trim() };
  const same = basket.lines.find((other) => lineKey(other) === lineKey(line));
  if (same) return setQuantity(basket, lineKey(line), same.quantity + line.quantity);
  return basket.lines.length < mostLines ? { ...basket, lines: [...basket.lines, line] } : basket;
}

export interface OrderedLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly choices: readonly { readonly choice_id: string }[];
  readonly note: string | null;
}

/**
 * Adds the lines of an order that still fit the menu. `missing` are the names of items that are gone or sold out, or whose choices no
 * longer fit.
 */
export function addOrdered(
  basket: Basket,
  ordered: readonly OrderedLine[],
  menu: readonly MenuItem[],
): { readonly basket: Basket; readonly missing: readonly string[] } {
  const lines = ordered.map(({ menu_item_id, name, quantity, choices, note }) => ({
    menu_item_id,
    name,
    quantity,
    note: note ?? '',
    choices: choices.map(({ choice_id }) => choice_id),
  }));
  const checked = checkLines({ lines }, menu);
  return {
    basket: checked.reduce((filled, { line, problem }) => (problem === null ? addLine(filled, line) : filled), basket),
    missing: [...new Set(checked.flatMap(({ line, problem }) => (problem === null ? [] : line.name)))],
  };
}

export const setQuantity = (basket: Basket, key: string, quantity: number): Basket => ({
  ...basket,
  lines: basket.lines.flatMap((line) =>
    lineKey(line) !== key ? line : quantity <= 0 ? [] : { ...line, quantity: Math.min(quantity, mostOfOne) },
  ),
});

export function replaceLine(basket: Basket, key: string, changed: BasketLine): Basket {
  const line = { ...changed, choices: [...changed.choices].sort(), note: changed.note.trim() };
  const isTwin = lineKey(line) !== key && basket.lines.some((other) => lineKey(other) === lineKey(line));
  if (isTwin) return addLine(setQuantity(basket, key, 0), line);
  return { ...basket, lines: basket.lines.map((other) => (lineKey(other) === key ? line : other)) };
}

export const tableOf = ({ table, table_at }: Basket, now: number): string | null => (now - table_at < tableMs ? table : null);

export const countOf = ({ lines }: Basket): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * A line by the current menu: the item is null when it has left the menu, the choices are in the order of the item's options, and the price
 * of one includes its choices, or is 0 when it cannot be ordered.
 */
export interface CheckedLine {
  readonly line: BasketLine;
  readonly key: string;
  readonly item: MenuItem | null;
  readonly choices: readonly MenuChoice[];
  readonly unitPence: number;
  readonly problem: 'gone' | 'sold out' | 'choices' | null;
}

export const checkLines = ({ lines }: Pick<Basket, 'lines'>, menu: readonly MenuItem[]): readonly CheckedLine[] =>
  lines.map((line) => {
    const item = menu.find(({ id }) => id === line.menu_item_id) ?? null;
    const choices = item ? chosenOf(item, line.choices) : [];
    const problem = problemOf(item, line, choices);
    const unitPence = item && problem === null ? unitPrice(item, choices) : 0;
    return { line, key: lineKey(line), item, choices, unitPence, problem };
  });

function problemOf(item: MenuItem | null, line: BasketLine, choices: readonly MenuChoice[]): CheckedLine['problem'] {
  if (!item) return 'gone';
  if (item.sold_out) return 'sold out';
  const known = line.choices.every((id) => choices.some((choice) => choice.id === id));
  if (!known || !item.options.every((option) => isEnough(option, line.choices))) return 'choices';
  return choices.some(({ sold_out }) => sold_out) ? 'sold out' : null;
}

export const chosenOf = ({ options }: MenuItem, ids: readonly string[]): readonly MenuChoice[] =>
  options.flatMap(({ choices }) => choices.filter(({ id }) => ids.includes(id)));

export function isEnough({ min, max, choices }: MenuOption, ids: readonly string[]): boolean {
  const count = choices.filter(({ id }) => ids.includes(id)).length;
  return count >= min && count <= max;
}

export const unitPrice = (item: MenuItem, choices: readonly MenuChoice[]): number =>
  choices.reduce((sum, { price_pence }) => sum + price_pence, item.price_pence);

export const subtotalOf = (lines: readonly CheckedLine[]): number =>
  lines.reduce((sum, { line, unitPence }) => sum + line.quantity * unitPence, 0);
