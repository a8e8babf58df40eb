import { useId, useState } from 'react';
import { ConfirmWithReason } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { notifyDelay, type Order, setStatus } from '../operations.ts';
import type { Changes } from './use-orders.ts';

export interface ChangeProps {
  readonly order: Order;
  readonly storeId: string;
  readonly changes: Changes;
  onClose(): void;
}

/** Makes a change and reads the order again, whether the change was made or refused. */
export async function changeAndRead({ order, changes }: ChangeProps, change: () => Promise<string>): Promise<void> {
  try {
    announce(await change());
  } finally {
    changes.changed(order.id);
  }
}

const usualDelays = [5, 10, 15, 20] as const;

/** Gives an order a later ready time, of which the customer is notified. */
export function DelayDialog(props: ChangeProps) {
  const { order, storeId, onClose } = props;
  const [minutes, setMinutes] = useState(10);
  const [note, setNote] = useState('');
  const [minutesField, noteField] = [useId(), useId()];
  const act = (_: string, key: string) =>
    changeAndRead(props, async () => {
      const { notified } = await notifyDelay(storeId, order.id, minutes, note.trim(), key);
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

/** Cancels an order. What was paid stays until it is refunded. */
export function CancelDialog(props: ChangeProps) {
  const { order, storeId, onClose } = props;
  const act = (reason: string, key: string) =>
    changeAndRead(props, async () => {
      await setStatus(storeId, order.id, 'cancelled', reason, key);
      return `Order ${order.order_number} is cancelled.`;
    });
  const left = order.total_pence - order.refunded_pence;
  return (
    <ConfirmWithReason
      title={`Cancel order ${order.order_number}`}
      label="Cancel order"
      danger
      suggestions={['Sold out', 'Asked by the customer', 'Not collected']}
      act={act}
      onClose={onClose}
    >
      {left > 0 && <p>The customer has paid {money(left, order.currency)}. Cancelling returns nothing: refund the order as well.</p>}
    </ConfirmWithReason>
  );
}

/** Takes back a hand-over that was recorded by mistake. */
export function TakeBackDialog(props: ChangeProps) {
  const { order, storeId, onClose } = props;
  const act = (reason: string, key: string) =>
    changeAndRead(props, async () => {
      await setStatus(storeId, order.id, 'ready', reason, key);
      return `Order ${order.order_number} is ready again.`;
    });
  return (
    <ConfirmWithReason title={`Take the hand-over of ${order.order_number} back`} label="Ready again" act={act} onClose={onClose}>
      <p>The order is ready again, as if it had not been handed over.</p>
    </ConfirmWithReason>
  );
}
