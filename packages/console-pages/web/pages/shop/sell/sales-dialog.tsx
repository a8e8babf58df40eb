import { Dialog, Loaded } from '../../../components/index.ts';
import { instant, money } from '../../../logic/format.ts';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { OrderLink } from '../order-link.tsx';
import { type Sale, salesPath } from './sale-operations.ts';
import { leftToPay, tendersText } from './sale-texts.ts';

interface Props {
  readonly state: 'paid' | 'open';
  readonly zone: string | undefined;
  onPay(sale: Sale): void;
  onClose(): void;
}

export function SalesDialog({ state, zone, onPay, onClose }: Props) {
  const { id: storeId } = useStore();
  const read = useRead(salesPath(storeId, state), { readAgainFor: { types: ['order.'], subjects: [storeId] } });
  return (
    <Dialog title={state === 'open' ? 'Open sales' : 'The last ten sales'} className="drawer" onClose={onClose}>
      <Loaded of={read}>
        {({ sales }) => (
          <>
            {sales.length === 0 && <p className="quiet">None.</p>}
            <ul className="sell-sales">
              {sales.map((sale) => (
                <li key={sale.id}>
                  <span>
                    {instant(sale.paid_at ?? sale.created_at, 'minute', undefined, zone)}{' '}
                    <OrderLink orderId={sale.id} number={sale.order_number} />
                    {sale.table_number && ` table ${sale.table_number}`}:{' '}
                    {sale.items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}
                    <span className="quiet"> {tendersText(sale)}</span>
                    {sale.refunded_pence > 0 && <span className="quiet">, {money(sale.refunded_pence, sale.currency)} refunded</span>}
                  </span>
                  <strong>
                    {state === 'open' && leftToPay(sale) < sale.total_pence
                      ? `${money(leftToPay(sale), sale.currency)} of ${money(sale.total_pence, sale.currency)} left`
                      : money(sale.total_pence, sale.currency)}
                  </strong>
                  {state === 'open' && (
                    <button type="button" onClick={() => onPay(sale)}>
                      Pay<span className="unseen"> {sale.order_number}</span>
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {state === 'paid' && <p className="quiet">An order is refunded on its own page, by the tender that paid it.</p>}
          </>
        )}
      </Loaded>
      <div className="dialog-buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
