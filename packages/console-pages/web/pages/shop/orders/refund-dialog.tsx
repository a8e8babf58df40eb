import { useId, useState } from 'react';
import { ConfirmWithReason } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { newKey } from '../../../shell/request.ts';
import { parseAmount, typedAmount } from '../money/amounts.ts';
import { refund } from '../operations.ts';
import { type ChangeProps, changeAndRead } from './order-changes.tsx';
import { keepsAttempt } from './refund-attempt.ts';

/** Refunds an order in full or in part. However often its button is pressed, it is one refund. */
export function RefundDialog(props: ChangeProps & { readonly refundable: number }) {
  const { order, storeId, refundable, onClose } = props;
  const [inPart, setInPart] = useState(false);
  const [typed, setTyped] = useState(typedAmount(refundable, order.currency));
  const [attempt, setAttempt] = useState(newKey);
  const amountField = useId();
  const amount = inPart ? parseAmount(typed, order.currency) : null;
  const shown = money(amount ?? refundable, order.currency);
  const act = (reason: string) =>
    changeAndRead(props, async () => {
      if (inPart && amount === null) throw new RequestFailed(400, 'NO_AMOUNT', `“${typed}” is not an amount in ${order.currency}.`);
      try {
        const made = await refund(storeId, order.id, { amount, reason, attempt });
        return `${money(made.refund.amount, order.currency)} of order ${order.order_number} ${made.refund.status === 'pending' ? 'will be' : 'was'} refunded.`;
      } catch (error) {
        if (!keepsAttempt(error)) setAttempt(newKey());
        throw error;
      }
    });
  return (
    <ConfirmWithReason
      title={`Refund order ${order.order_number}`}
      label={`Refund ${shown}`}
      danger
      suggestions={['Something was missing', 'It was cold', 'Cancelled']}
      act={act}
      onClose={onClose}
    >
      <fieldset className="field choices">
        <legend>How much</legend>
        <label>
          <input type="radio" name="refund" checked={!inPart} onChange={() => setInPart(false)} />
          All that is left, {money(refundable, order.currency)}
        </label>
        {refundable > 0 && (
          <label>
            <input type="radio" name="refund" checked={inPart} onChange={() => setInPart(true)} />A part
          </label>
        )}
      </fieldset>
      {inPart && (
        <div className="field">
          <label htmlFor={amountField}>Amount in {order.currency}</label>
          <input id={amountField} inputMode="decimal" required value={typed} onChange={({ target }) => setTyped(target.value)} />
        </div>
      )}
    </ConfirmWithReason>
  );
}
