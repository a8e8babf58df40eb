import type { Order } from '../operations.ts';

type Line = Pick<Order['items'][number], 'position' | 'name' | 'quantity' | 'refunded' | 'choices' | 'unit_price_pence'>;

export type Chosen = Readonly<Record<number, number>>;

export interface RefundableLine {
  readonly position: number;
  readonly name: string;
  readonly left: number;
  readonly unitPence: number;
}

export const refundableLines = (lines: readonly Line[]): readonly RefundableLine[] =>
  lines.flatMap(({ position, name, quantity, refunded, choices, unit_price_pence: unitPence }) => {
    const chosen = choices.length > 0 ? ` (${choices.map((choice) => choice.name).join(', ')})` : '';
    return quantity > refunded ? [{ position, name: `${name}${chosen}`, left: quantity - refunded, unitPence }] : [];
  });

export const requestedLines = (lines: readonly RefundableLine[], chosen: Chosen, restock: boolean) =>
  lines.flatMap(({ position, left }) => {
    const quantity = Math.min(left, chosen[position] ?? 0);
    return quantity > 0 ? [{ position, quantity, restock }] : [];
  });

/** Returns null for an order with a discount: the service deducts the share of each line, and returns the sum once it is refunded. */
export const sumOfUnits = (lines: readonly RefundableLine[], chosen: Chosen, discountPence: number): number | null =>
  discountPence > 0
    ? null
    : requestedLines(lines, chosen, false).reduce(
        (sum, { position, quantity }) => sum + quantity * (lines.find((line) => line.position === position)?.unitPence ?? 0),
        0,
      );

export const unitsInWords = (lines: readonly RefundableLine[], chosen: Chosen): string =>
  lines.flatMap(({ position, name, left }) => (chosen[position] ? [`${Math.min(left, chosen[position])} × ${name}`] : [])).join(', ');
