import { Choice, type Options } from '../../../components/index.ts';
import type { Chosen, RefundableLine } from './refund-lines.ts';

interface Props {
  readonly lines: readonly RefundableLine[];
  readonly chosen: Chosen;
  readonly restock: boolean;
  onChoose(chosen: Chosen): void;
  onRestock(restock: boolean): void;
}

export const LinesField = ({ lines, chosen, restock, onChoose, onRestock }: Props) => (
  <>
    {lines.map(({ position, name, left }) => (
      <Choice
        key={position}
        label={`${name}, of ${left}`}
        value={String(chosen[position] ?? 0)}
        options={upTo(left)}
        onChoose={(units) => onChoose({ ...chosen, [position]: Number(units) })}
      />
    ))}
    <label className="check">
      <input type="checkbox" checked={restock} onChange={({ target }) => onRestock(target.checked)} />
      Back on sale
    </label>
    <p className="quiet">What was paid for these units is refunded: without their share of a discount, and the tip stays.</p>
  </>
);

const upTo = (left: number): Options => Array.from({ length: left + 1 }, (_, units) => [String(units), String(units)]);
