import { type ReactNode, useState } from 'react';
import { Dialog, Icon, Id } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { CustomerLink } from '../customer-link.tsx';
import type { Order } from '../operations.ts';
import { PrintAgain } from '../printers/index.ts';
import { MessageDialog } from '../write-message.tsx';
import { actionsOf } from './order-actions.ts';
import { CancelDialog, CorrectDialog, DelayDialog } from './order-changes.tsx';
import { OrderStory } from './order-story.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import type { Changes } from './use-orders.ts';

interface Props {
  readonly order: Order;
  readonly store: { readonly id: string; readonly role: string };
  readonly changes: Changes;
  onClose(): void;
}

type Doing = 'write' | 'delay' | 'refund' | 'cancel' | 'correct';

export function OrderDialog({ order, store, changes, onClose }: Props) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { canDelay, canCancel, correctTo, refundable } = actionsOf(order, store.role);
  const button = (what: Doing, label: string, danger = false) => (
    <button type="button" className={danger ? 'danger' : ''} onClick={() => setDoing(what)}>
      {label}
    </button>
  );
  const dialogProps = { order, storeId: store.id, changes, onClose: () => setDoing(null) };
  return (
    <>
      <Dialog title={`Order ${order.order_number}`} className="order-dialog" onClose={onClose}>
        <p className="order-dialog-head">
          {order.collection_code && <strong className="order-code">{order.collection_code}</strong>}
          <CustomerLink customerId={order.customer_id} name={order.customer_name ?? 'Customer'} />
          <Id value={order.id} what="order" />
        </p>
        <div className="order-dialog-actions">
          {!order.without_customer && button('write', 'Write to the customer')}
          {canDelay && button('delay', 'Notify of a delay')}
          {refundable !== null && button('refund', 'Refund')}
          {correctTo && button('correct', 'Correct the status')}
          <PrintAgain order={order} storeId={store.id} />
          {canCancel && button('cancel', 'Cancel order', true)}
        </div>
        <Sums order={order} />
        <OrderStory storeId={store.id} order={order} />
        <div className="dialog-buttons">
          <button type="button" onClick={onClose}>
            <Icon name="close" /> Close
          </button>
        </div>
      </Dialog>
      {doing === 'write' && (
        <MessageDialog customerId={order.customer_id} name={order.customer_name ?? 'the customer'} onClose={dialogProps.onClose} />
      )}
      {doing === 'delay' && <DelayDialog {...dialogProps} />}
      {doing === 'refund' && <RefundDialog {...dialogProps} refundable={refundable ?? 0} />}
      {doing === 'cancel' && <CancelDialog {...dialogProps} />}
      {doing === 'correct' && correctTo && <CorrectDialog {...dialogProps} to={correctTo} />}
    </>
  );
}

function Sums({ order }: { readonly order: Order }) {
  const amount = (minor: number) => money(minor, order.currency);
  const row = (label: ReactNode, minor: number, className = '') => (
    <tr className={className}>
      <th scope="row">{label}</th>
      <td>{amount(minor)}</td>
    </tr>
  );
  return (
    <table className="order-sums">
      <caption className="unseen">What was ordered and paid</caption>
      <tbody>
        {order.items.map(({ position, name, quantity, total_pence, choices, note }) => (
          <tr key={position}>
            <th scope="row">
              <b>{quantity} ×</b> {name}
              {choices.map((choice) => (
                <span className="line-more" key={choice.choice_id}>
                  {choice.option}: {choice.name}
                  {choice.price_pence > 0 && `, ${amount(choice.price_pence)}`}
                </span>
              ))}
              {note !== null && <span className="line-more line-note">“{note}”</span>}
            </th>
            <td>{amount(total_pence)}</td>
          </tr>
        ))}
        {order.discount_pence > 0 && row('Discount', -order.discount_pence)}
        {order.tip_pence > 0 && row('Tip', order.tip_pence)}
        {row('Total', order.total_pence, 'total')}
        {order.refunded_pence > 0 && row('Refunded', -order.refunded_pence)}
      </tbody>
    </table>
  );
}
