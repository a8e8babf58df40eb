import { useId, useState } from 'react';
import { ConfirmWithReason } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { createAttempts } from '../../../shell/attempts.ts';
import { parseAmount, typedAmount } from '../money/amounts.ts';
import { refund } from '../operations.ts';
import { type ChangeProps, changeAndRead } from './order-changes.tsx';

/**
 * Kept by the tab, with ids of orders alone: a dialog that is closed and opened again, and a page that is loaded again, repeats a refund whose
 * outcome is not known.
 */
const attempt = createAttempts(sessionStorage);

/** A repeated attempt for another amount: the refund whose response was lost has arrived. */
function explained(error: unknown): never {
  if (!(error instanceof RequestFailed) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
  const text =
    'A refund of another amount was asked for before, and its response was lost. See the log of the order before you refund more.';
  throw new RequestFailed(error.status, error.code, text, error.requestId);
}

/** Refunds an order in full or in part. However often its button is pressed, it is one refund. */
export function RefundDialog(props: ChangeProps & { readonly refundable: number }) {
  const { order, storeId, refundable, onClose } = props;
  const [inPart, setInPart] = useState(false);
  const [typed, setTyped] = useState(typedAmount(refundable, order.currency));
  const amountField = useId();
  const amount = inPart ? parseAmount(typed, order.currency) : null;
  const shown = money(amount ?? refundable, order.currency);
  const act = (reason: string) =>
    changeAndRead(props, async () => {
      if (inPart && amount === null) throw new RequestFailed(400, 'NO_AMOUNT', `“${typed}” is not an amount in ${order.currency}.`);
      const made = await attempt(order.id, (id) => refund(storeId, order.id, { amount, reason, attempt: id })).catch(explained);
      return `${money(made.refund.amount, order.currency)} of order ${order.order_number} ${made.refund.status === 'pending' ? 'will be' : 'was'} refunded.`;
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
