import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Order } from '../operations.ts';
import type { Column } from '../order-columns.ts';

interface Props {
  readonly name: Column;
  readonly orders: readonly Order[];
  readonly hasMore: boolean;
  readonly isChosen: boolean;
  onEnd(): void;
  card(order: Order): ReactNode;
}

export const columnTexts: Readonly<Record<Column, { readonly title: string; readonly empty: string }>> = {
  accepted: { title: 'Accepted', empty: 'No order is accepted.' },
  preparing: { title: 'Preparing', empty: 'No order is being prepared.' },
  ready: { title: 'Ready', empty: 'No order is ready.' },
  collected: { title: 'Collected', empty: 'No order is collected.' },
  returned: { title: 'Cancelled or refunded', empty: 'No order is cancelled or refunded in full.' },
};

const estimatedHeight = 210;
const overscan = 4;

export function OrderColumn({ name, orders, hasMore, isChosen, onEnd, card }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: orders.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => orders[index]?.id ?? index,
    overscan,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isFull = rows.getTotalSize() > (rows.scrollRect?.height ?? 0);
  const isAtEnd = last >= orders.length - overscan * 2;
  // A column that is not full would read all pages in search of its next card, so there a button reads more.
  useEffect(() => {
    if (hasMore && isFull && isAtEnd) onEnd();
  }, [hasMore, isFull, isAtEnd, onEnd]);

  const { title, empty } = columnTexts[name];
  return (
    <section className="board-column" data-column={name} data-chosen={isChosen} aria-labelledby={`column-${name}`}>
      <h2 id={`column-${name}`}>
        {title} <span className="count">{countText(orders.length, hasMore)}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="board-scroll" ref={scroller} tabIndex={0} aria-label={`${title} orders`}>
        {orders.length === 0 && <p className="board-empty">{empty}</p>}
        <ul className="board-rows" style={{ height: rows.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const order = orders[index];
            return (
              order && (
                <li key={key} data-index={index} ref={rows.measureElement} style={{ transform: `translateY(${start}px)` }}>
                  {card(order)}
                </li>
              )
            );
          })}
        </ul>
        {hasMore && !isFull && (
          <button type="button" className="small board-more" onClick={onEnd}>
            Read more orders
          </button>
        )}
      </section>
    </section>
  );
}

const countText = (count: number, hasMore: boolean): string => (hasMore && count > 0 ? `${count}+` : String(count));
