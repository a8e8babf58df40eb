import type { Order } from '../operations.ts';

type Line = Pick<Order['items'][number], 'position' | 'name' | 'quantity' | 'refunded' | 'choices'>;

/** Units to refund, by the position of their line. */
export type Chosen = Readonly<Record<number, number>>;

/** A line of which units are left to refund. */
export interface RefundableLine {
  readonly position: number;
  readonly name: string;
  readonly left: number;
}

/** Returns the lines of an order of which units are left to refund. */
export const refundableLines = (lines: readonly Line[]): readonly RefundableLine[] =>
  lines.flatMap(({ position, name, quantity, refunded, choices }) => {
    const chosen = choices.length > 0 ? ` (${choices.map((choice) => choice.name).join(', ')})` : '';
    return quantity > refunded ? [{ position, name: `${name}${chosen}`, left: quantity - refunded }] : [];
  });

/** Returns what the request names: each line of which units were chosen, at most as many as are left. */
export const requestedLines = (lines: readonly RefundableLine[], chosen: Chosen, restock: boolean) =>
  lines.flatMap(({ position, left }) => {
    const quantity = Math.min(left, chosen[position] ?? 0);
    return quantity > 0 ? [{ position, quantity, restock }] : [];
  });
