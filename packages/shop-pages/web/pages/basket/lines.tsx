import { useState } from 'preact/hooks';
import { type Basket, type CheckedLine, mostOfOne, replaceLine, setQuantity } from '../../order/basket.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { ItemSheet } from '../menu/index.ts';

export type ChangeBasket = (change: (basket: Basket) => Basket) => void;

interface LinesProps {
  readonly lines: readonly CheckedLine[];
  readonly currency: string;
  readonly change: ChangeBasket;
}

export function Lines({ lines, currency, change }: LinesProps) {
  const { basket } = useTexts();
  const { money } = useFormat();
  const [changing, setChanging] = useState<CheckedLine>();
  const problems = { gone: basket.gone, 'sold out': basket.soldOut, choices: basket.choicesChanged };
  return (
    <>
      <ul class="rows basket-lines">
        {lines.map((checked) => {
          const { key, line, item, choices, unitPence, problem } = checked;
          const name = item?.name ?? line.name;
          const set = (quantity: number) => change((before) => setQuantity(before, key, quantity));
          return (
            <li key={key} class="row basket-line">
              <div class="basket-line-head">
                <span class="row-title">{name}</span>
                {problem === null ? <span class="amount">{money(unitPence * line.quantity, currency)}</span> : null}
              </div>
              {choices.length > 0 ? <p class="row-detail">{choices.map((choice) => choice.name).join(', ')}</p> : null}
              {line.note ? <p class="row-detail">“{line.note}”</p> : null}
              {problem === null ? null : <p class="field-error">{problems[problem]}</p>}
              <div class="basket-line-foot">
                {problem === null ? <Stepper name={name} value={line.quantity} min={1} max={mostOfOne} onChange={set} /> : null}
                {item && !item.sold_out ? (
                  <Button kind="quiet" aria-label={basket.changeItem(name)} onClick={() => setChanging(checked)}>
                    {basket.change}
                  </Button>
                ) : null}
                <Button kind="quiet" aria-label={basket.removeItem(name)} onClick={() => set(0)}>
                  {basket.remove}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {changing?.item ? (
        <ItemSheet
          item={changing.item}
          currency={currency}
          line={changing.line}
          onClose={() => setChanging(undefined)}
          onAdd={(line) => change((before) => replaceLine(before, changing.key, line))}
        />
      ) : null}
    </>
  );
}
