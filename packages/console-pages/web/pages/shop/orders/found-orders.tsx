import type { ReactNode } from 'react';
import { Empty, Failure, Loading, SearchField } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { todayIn } from '../money/index.ts';
import type { Order, OrderFilter } from '../operations.ts';
import { useFoundOrders } from './use-found-orders.ts';

interface SearchProps {
  readonly filter: OrderFilter;
  readonly zone: string | undefined;
  onChange(fields: Partial<OrderFilter>): void;
}

export function OrderSearch({ filter, zone, onChange }: SearchProps) {
  const today = todayIn(new Date(), zone);
  const day = (label: string, name: 'from' | 'to', earliest?: string) => (
    <label>
      {label}
      <input type="date" value={filter[name]} min={earliest} max={today} onChange={({ target }) => onChange({ [name]: target.value })} />
    </label>
  );
  return (
    <div className="order-search">
      <SearchField label="Find an order by number, code or name" value={filter.q} onSearch={(q) => onChange({ q })} />
      {day('From', 'from')}
      {day('To', 'to', filter.from)}
      {(filter.q || filter.from || filter.to) && (
        <button type="button" onClick={() => onChange({ q: '', from: '', to: '' })}>
          Back to the board
        </button>
      )}
    </div>
  );
}

interface FoundProps {
  readonly storeId: string;
  readonly filter: OrderFilter;
  card(order: Order): ReactNode;
}

export function FoundOrders({ storeId, filter, card }: FoundProps) {
  const { orders, isPending, error, hasMore, readMore, readAgain } = useFoundOrders(storeId, filter);
  return (
    <section aria-label="Orders found">
      {error && <Failure error={error} retry={readAgain} />}
      {isPending ? (
        <Loading />
      ) : orders.length === 0 ? (
        <Empty title="No order was found.">A number such as S1-1042 or 1042, a code, or the beginning of a name with three letters.</Empty>
      ) : (
        <>
          <p role="status" className="quiet">
            {plural(orders.length, 'order')}
            {hasMore && ', and more'}
          </p>
          <ul className="found-orders">
            {orders.map((order) => (
              <li key={order.id}>{card(order)}</li>
            ))}
          </ul>
          {hasMore && (
            <button type="button" onClick={readMore}>
              Show more
            </button>
          )}
        </>
      )}
    </section>
  );
}
