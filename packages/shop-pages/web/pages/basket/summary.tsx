import { type Basket, type CheckedLine, subtotalOf } from '../../order/basket.ts';
import { totalOf } from '../../order/total.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';

interface SummaryProps {
  readonly basket: Basket;
  readonly lines: readonly CheckedLine[];
  readonly currency: string;
}

export function Summary({ basket, lines, currency }: SummaryProps) {
  const { basket: texts } = useTexts();
  const { money } = useFormat();
  return (
    <dl class="summary">
      {basket.tip_pence > 0 ? (
        <>
          <div>
            <dt>{texts.subtotal}</dt>
            <dd>{money(subtotalOf(lines), currency)}</dd>
          </div>
          <div>
            <dt>{texts.tip}</dt>
            <dd>{money(basket.tip_pence, currency)}</dd>
          </div>
        </>
      ) : null}
      <div class="summary-total">
        <dt>{texts.total}</dt>
        <dd>{money(totalOf(lines, basket), currency)}</dd>
      </div>
    </dl>
  );
}
