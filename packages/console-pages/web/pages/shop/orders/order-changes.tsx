import { useId, useState } from 'react';
import { ConfirmWithReason } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { cancelOrder, correctOrder, type EarlierStatus, notifyDelay, type Order } from '../operations.ts';
import type { Changes } from './use-orders.ts';

export interface ChangeProps {
  readonly order: Order;
  readonly storeId: string;
  readonly changes: Changes;
  onClose(): void;
}

export async function changeAndRead({ order, changes }: ChangeProps, change: () => Promise<string>): Promise<void> {
  try {
    announce(await change());
  } finally {
    changes.changed(order.id);
  }
}

const usualDelays = [5, 10, 15, 20] as const;

export function DelayDialog(props: ChangeProps) {
  const { order, storeId, onClose } = props;
  const [minutes, setMinutes] = useState(10);
  const [note, setNote] = useState('');
  const [minutesField, noteField] = [useId(), useId()];
  const act = (_: string, key: string) =>
    changeAndRead(props, async () => {
      const { notified } = await notifyDelay(storeId, order.id, minutes, { note: note.trim(), key });
      return notified === 'none' ? 'The new time is stored.' : `The new time is stored, and the customer is notified by ${notified}.`;
    });
  return (
    <ConfirmWithReason
      title={`Delay order ${order.order_number}`}
      label={`Delay by ${minutes} min`}
      reason={false}
      act={act}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor={minutesField}>Minutes more</label>
        <input
          id={minutesField}
          type="number"
          inputMode="numeric"
          min={1}
          max={480}
          required
          value={minutes}
          onChange={({ target }) => setMinutes(target.valueAsNumber || 0)}
        />
        <div className="suggestions">
          {usualDelays.map((delay) => (
            <button key={delay} type="button" className="small" aria-pressed={delay === minutes} onClick={() => setMinutes(delay)}>
              {delay} min
            </button>
          ))}
        </div>
      </div>
      <div className="field">
        <label htmlFor={noteField}>Note to the customer</label>
        <input id={noteField} value={note} maxLength={280} onChange={({ target }) => setNote(target.value)} />
      </div>
    </ConfirmWithReason>
  );
}

export function CancelDialog(props: ChangeProps) {
  const { order, storeId, onClose } = props;
  const left = order.total_pence - order.refunded_pence;
  const mayRefund = left > 0 && !order.disputed;
  const [refunds, setRefunds] = useState(mayRefund);
  const act = (reason: string, key: string) =>
    changeAndRead(props, async () => {
      const { refund } = await cancelOrder(storeId, order.id, refunds, { note: reason, key });
      const returned = refund
        ? ` ${money(refund.amount, order.currency)} ${refund.status === 'pending' ? 'will be' : 'was'} refunded.`
        : '';
      return `Order ${order.order_number} is cancelled.${returned}`;
    });
  return (
    <ConfirmWithReason
      title={`Cancel order ${order.order_number}`}
      label={refunds ? `Cancel and refund ${money(left, order.currency)}` : 'Cancel order'}
      danger
      suggestions={['Sold out', 'Asked by the customer', 'Not collected']}
      act={act}
      onClose={onClose}
    >
      {mayRefund && (
        <label className="check">
          <input type="checkbox" checked={refunds} onChange={({ target }) => setRefunds(target.checked)} />
          Refund {money(left, order.currency)}, which the customer has paid
        </label>
      )}
    </ConfirmWithReason>
  );
}

const statusWords: Readonly<Record<EarlierStatus, string>> = {
  placed: 'not ready',
  accepted: 'accepted, not begun',
  preparing: 'being prepared',
  ready: 'ready, not handed over',
};

export function CorrectDialog(props: ChangeProps & { readonly to: EarlierStatus }) {
  const { order, storeId, to, onClose } = props;
  const act = (reason: string, key: string) =>
    changeAndRead(props, async () => {
      await correctOrder(storeId, order.id, to, { note: reason, key });
      return `Order ${order.order_number} is ${statusWords[to]}.`;
    });
  return (
    <ConfirmWithReason
      title={`Correct order ${order.order_number}`}
      label="Correct"
      suggestions={['Pressed by mistake', 'It was another order']}
      act={act}
      onClose={onClose}
    >
      <p>The order is {statusWords[to]} again. No money moves. A customer who got the message that it is ready gets one that it is not.</p>
    </ConfirmWithReason>
  );
}
