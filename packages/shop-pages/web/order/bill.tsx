import type { CustomerOrder } from '@corner/client';
import { useFormat, useTexts } from '../texts/use-texts.tsx';

export function Bill({ order }: { readonly order: CustomerOrder }) {
  const { order: texts } = useTexts();
  const { money } = useFormat();
  const amount = (minor: number) => money(minor, order.currency);
  const lines = order.items.reduce((sum, { total_pence }) => sum + total_pence, 0);
  const sums = [
    ...(lines === order.total_pence ? [] : [[texts.subtotal, amount(lines)]]),
    ...(order.discount_pence > 0 ? [[texts.discount, `−${amount(order.discount_pence)}`]] : []),
    ...(order.tip_pence > 0 ? [[texts.tip, amount(order.tip_pence)]] : []),
  ];
  return (
    <div class="bill">
      <ul class="bill-lines">
        {order.items.map((line) => (
          <li key={line.position} class="bill-line">
            <span class="bill-count">{line.quantity} ×</span>
            <span class="bill-name">
              {line.name}
              {line.choices.map(({ choice_id, name }) => (
                <span key={choice_id} class="bill-detail">
                  {name}
                </span>
              ))}
              {line.note === null ? null : <span class="bill-detail">“{line.note}”</span>}
              {line.refunded > 0 ? <span class="bill-detail">{texts.refundedUnits(line.refunded)}</span> : null}
            </span>
            <span class="bill-amount">{amount(line.total_pence)}</span>
          </li>
        ))}
      </ul>
      <dl class="bill-sums">
        {[...sums, [texts.total, amount(order.total_pence)]].map(([name, value], index) => (
          <div key={name} class={index === sums.length ? 'bill-total' : undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
