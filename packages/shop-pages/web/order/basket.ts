import type { components } from '@corner/client';

export type MenuItem = components['schemas']['StoreMenuItem'];
export type MenuOption = MenuItem['options'][number];
export type MenuChoice = MenuOption['choices'][number];

/** What a customer wants of one item. The name is kept for an item that leaves the menu. */
export interface BasketLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  /** Ids of choices, sorted. */
  readonly choices: readonly string[];
  /** Empty for none. */
  readonly note: string;
}

/** A basket of a store, and how its customer wants to have it. */
export interface Basket {
  readonly lines: readonly BasketLine[];
  /** The table whose code was scanned; null at the counter. */
  readonly table: string | null;
  /** When the table was scanned, in epoch milliseconds. */
  readonly table_at: number;
  /** The slot; null for as soon as possible. */
  readonly slot_id: string | null;
  readonly tip_pence: number;
  /** The tip as a part of the basket, in percent, when that was chosen; null for an amount. */
  readonly tip_percent: number | null;
  /** As it was typed. Empty for none. */
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

/** What the interface takes in one line and in one order. */
export const mostOfOne = 99;
const mostLines = 100;
/** A table is the customer's for the length of a visit. */
const tableMs = 4 * 60 * 60_000;

/** Identifies a line: two with the same item, choices and note are one. */
export const lineKey = ({ menu_item_id, choices, note }: BasketLine): string => JSON.stringify([menu_item_id, choices, note]);

/** Adds a line, or its quantity to the line that is equal. */
export function addLine(basket: Basket, added: BasketLine): Basket {
  const line = { ...added, choices: [...added.choices].sort(), note: added.note.trim() };
  const same = basket.lines.find((other) => lineKey(other) === lineKey(line));
  if (same) return setQuantity(basket, lineKey(line), same.quantity + line.quantity);
  return basket.lines.length < mostLines ? { ...basket, lines: [...basket.lines, line] } : basket;
}

/** What an order has of one item, as far as it can be ordered again. */
export interface OrderedLine {
  readonly menu_item_id: string;
  readonly name: string;
  readonly quantity: number;
  readonly choices: readonly { readonly choice_id: string }[];
  readonly note: string | null;
}

/**
 * Adds the lines of an order that the menu still has, with their choices. `missing` are the names of those that are gone, sold out, or whose
 * choices no longer fit.
 */
export function addOrdered(
  basket: Basket,
  ordered: readonly OrderedLine[],
  menu: readonly MenuItem[],
): { readonly basket: Basket; readonly missing: readonly string[] } {
  const lines = ordered.map(({ menu_item_id, name, quantity, choices, note }) => ({
    ...{ menu_item_id, name, quantity, note: note ?? '' },
    choices: choices.map(({ choice_id }) => choice_id),
  }));
  const checked = checkLines({ lines }, menu);
  return {
    basket: checked.reduce((filled, { line, problem }) => (problem === null ? addLine(filled, line) : filled), basket),
    missing: [...new Set(checked.flatMap(({ line, problem }) => (problem === null ? [] : line.name)))],
  };
}

/** Sets the quantity of a line; with 0 it is removed. */
export const setQuantity = (basket: Basket, key: string, quantity: number): Basket => ({
  ...basket,
  lines: basket.lines.flatMap((line) =>
    lineKey(line) !== key ? line : quantity <= 0 ? [] : { ...line, quantity: Math.min(quantity, mostOfOne) },
  ),
});

/** Puts another line in the place of one; it is added to a line that is equal. */
export function replaceLine(basket: Basket, key: string, changed: BasketLine): Basket {
  const line = { ...changed, choices: [...changed.choices].sort(), note: changed.note.trim() };
  const isTwin = lineKey(line) !== key && basket.lines.some((other) => lineKey(other) === lineKey(line));
  if (isTwin) return addLine(setQuantity(basket, key, 0), line);
  return { ...basket, lines: basket.lines.map((other) => (lineKey(other) === key ? line : other)) };
}

/** The table that was scanned, while the visit lasts; else null. */
export const tableOf = ({ table, table_at }: Basket, now: number): string | null => (now - table_at < tableMs ? table : null);

/** How many things are in the basket. */
export const countOf = ({ lines }: Basket): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** A line as the menu has it now. */
export interface CheckedLine {
  readonly line: BasketLine;
  readonly key: string;
  /** Null when the menu has the item no more. */
  readonly item: MenuItem | null;
  /** In the order of the item's options. */
  readonly choices: readonly MenuChoice[];
  /** The price of one with its choices; 0 for one that cannot be ordered. */
  readonly unitPence: number;
  /** Why it cannot be ordered: it left the menu, is sold out, or its choices no longer fit. Null when it can. */
  readonly problem: 'gone' | 'sold out' | 'choices' | null;
}

/** Returns the lines with the prices of the menu, and what keeps each from being ordered. */
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

/** The choices of an item that have these ids. */
export const chosenOf = ({ options }: MenuItem, ids: readonly string[]): readonly MenuChoice[] =>
  options.flatMap(({ choices }) => choices.filter(({ id }) => ids.includes(id)));

/** Whether an option has as many choices as it needs, and no more. */
export function isEnough({ min, max, choices }: MenuOption, ids: readonly string[]): boolean {
  const count = choices.filter(({ id }) => ids.includes(id)).length;
  return count >= min && count <= max;
}

export const unitPrice = (item: MenuItem, choices: readonly MenuChoice[]): number =>
  choices.reduce((sum, { price_pence }) => sum + price_pence, item.price_pence);

/** The sum of what can be ordered, without tip and discounts. */
export const subtotalOf = (lines: readonly CheckedLine[]): number =>
  lines.reduce((sum, { line, unitPence }) => sum + line.quantity * unitPence, 0);
