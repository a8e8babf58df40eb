import { createAttempts } from '@corner/page-kit/browser/attempts';
import { keptInTab } from '@corner/page-kit/browser/storage';
import { useId, useState } from 'react';
import { ConfirmWithReason } from '../../../components/index.ts';
import { parseAmount, refundFault, typedAmount } from '../../../logic/amounts.ts';
import { money, plural } from '../../../logic/format.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { refund } from '../operations.ts';
import { LinesField } from './lines-field.tsx';
import { type ChangeProps, changeAndRead } from './order-changes.tsx';
import { type Chosen, type RefundableLine, refundableLines, requestedLines, sumOfUnits, unitsInWords } from './refund-lines.ts';

/**
 * Kept by the tab, with ids of orders only: after the dialog or the page is opened again, a refund whose outcome is unknown is repeated.
 */
const attempt = createAttempts(keptInTab);

const explanations: Readonly<Record<string, string>> = {
  IDEMPOTENCY_KEY_REUSED:
    'A refund of another amount was requested before, and its response was lost. See the log of the order before you refund more.',
  REFUND_LINES_EXCEED_REMAINING: 'Fewer units than these are left to refund: another refund is on its way. See the log of the order.',
  REFUND_AMOUNT_EXCEEDS_REMAINING: 'Less than this is left to refund: another refund is on its way. See the log of the order.',
};

function explained(error: unknown): never {
  const text = error instanceof RequestFailed ? explanations[error.code] : undefined;
  throw error instanceof RequestFailed && text ? new RequestFailed(error.status, error.code, text, error.requestId) : error;
}

export function RefundDialog(props: ChangeProps & { readonly refundable: number }) {
  const { order, storeId, refundable, onClose } = props;
  const [typed, setTyped] = useState(typedAmount(refundable, order.currency));
  const [isByLine, setByLine] = useState(false);
  const [chosen, choose] = useState<Chosen>({});
  const [restock, setRestock] = useState(false);
  // The refund of a free order takes its stamps back.
  const isFree = refundable === 0;
  const lines = refundableLines(order.items);
  const requested = requestedLines(lines, chosen, restock);
  const amount = isFree || isByLine ? null : parseAmount(typed, order.currency);
  const act = (reason: string) =>
    changeAndRead(props, async () => {
      if (isByLine && requested.length === 0) throw new RequestFailed(400, 'NOTHING_CHOSEN', 'Choose the units to refund.');
      const request = { amount, lines: isByLine ? requested : null, reason };
      const made = await attempt(order.id, (id) => refund(storeId, order.id, { ...request, attempt: id })).catch(explained);
      return `${money(made.refund.amount, order.currency)} of order ${order.order_number} ${made.refund.status === 'pending' ? 'will be' : 'was'} refunded.`;
    });
  const units = requested.reduce((sum, { quantity }) => sum + quantity, 0);
  const sum = isByLine ? sumOfUnits(lines, chosen, order.discount_pence) : amount;
  const refundOne = (position: number) => {
    setByLine(true);
    choose({ [position]: 1 });
  };
  return (
    <ConfirmWithReason
      title={`Refund order ${order.order_number}`}
      label={isByLine && sum === null ? `Refund ${plural(units, 'unit')}` : `Refund ${money(sum ?? 0, order.currency)}`}
      danger
      begins={isByLine ? unitsInWords(lines, chosen) : ''}
      suggestions={['Something was missing', 'It was cold', 'Cancelled']}
      act={act}
      onClose={onClose}
    >
      {isFree && <p>Nothing was paid. The refund takes the stamps of this order back.</p>}
      {!isFree && lines.length > 0 && <Ways isByLine={isByLine} onChoose={setByLine} />}
      {!isFree && isByLine && <LinesField {...{ lines, chosen, restock }} onChoose={choose} onRestock={setRestock} />}
      {!isFree && !isByLine && lines.length > 1 && <OneOf lines={lines} currency={order.currency} onChoose={refundOne} />}
      {!isFree && !isByLine && <AmountField typed={typed} left={refundable} currency={order.currency} onChange={setTyped} />}
    </ConfirmWithReason>
  );
}

interface OneOfProps {
  readonly lines: readonly RefundableLine[];
  readonly currency: string;
  readonly onChoose: (position: number) => void;
}

const OneOf = ({ lines, currency, onChoose }: OneOfProps) => (
  <fieldset className="suggestions">
    <legend className="unseen">One of</legend>
    {lines.map(({ position, name, unitPence }) => (
      <button type="button" key={position} className="small" onClick={() => onChoose(position)}>
        {name}, {money(unitPence, currency)}
      </button>
    ))}
  </fieldset>
);

const Ways = ({ isByLine, onChoose }: { readonly isByLine: boolean; onChoose(isByLine: boolean): void }) => (
  <fieldset className="tabs">
    <legend className="unseen">What is refunded</legend>
    <button type="button" aria-pressed={!isByLine} onClick={() => onChoose(false)}>
      An amount
    </button>
    <button type="button" aria-pressed={isByLine} onClick={() => onChoose(true)}>
      Lines
    </button>
  </fieldset>
);

interface AmountProps {
  readonly typed: string;
  readonly left: number;
  readonly currency: string;
  readonly onChange: (typed: string) => void;
}

function AmountField({ typed, left, currency, onChange }: AmountProps) {
  const [field, hint] = [useId(), useId()];
  const fault = refundFault(typed, left, currency);
  const all = money(left, currency);
  return (
    <div className="field">
      <label htmlFor={field}>Amount in {currency}</label>
      <input
        ref={(input) => input?.setCustomValidity(fault)}
        id={field}
        inputMode="decimal"
        required
        value={typed}
        aria-invalid={fault !== ''}
        aria-describedby={hint}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={hint} className={fault ? 'cell-error' : 'quiet'} aria-live="polite">
        {fault || `${all} is left to refund.`}
      </p>
      <div className="suggestions">
        <button type="button" className="small" onClick={() => onChange(typedAmount(left, currency))}>
          All of it, {all}
        </button>
      </div>
    </div>
  );
}
