import type { CustomerOrder } from '@corner/client';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { describeState } from '../../order/describe.ts';
import { pageOf, useMyOrders } from '../../order/use-my-orders.ts';
import { useClient } from '../../session/use-session.ts';
import { Page } from '../../shell/page.tsx';
import { lastStoreCode } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTrying } from '../../ui/use-trying.ts';

export default function OrdersPage() {
  const { order: texts } = useTexts();
  const client = useClient();
  const { data, error, again, noCustomer } = useMyOrders();
  const [older, setOlder] = useState<readonly CustomerOrder[]>([]);
  const [hasMore, setMore] = useState(true);
  const { busy, failed, trying } = useTrying();
  const first = data?.orders ?? [];
  const all = [...first, ...older.filter(({ id }) => !first.some((one) => one.id === id))];
  const last = all.at(-1);
  const readOlder = () =>
    trying(async () => {
      if (!last) return;
      const query = { limit: pageOf, before: last.created_at, before_id: last.id };
      const { data: page } = await client.GET('/api/v1/orders/mine', { params: { query } });
      setOlder([...older, ...page.orders]);
      setMore(page.orders.length === pageOf);
    });
  const isEmpty = noCustomer || (data && all.length === 0);
  return (
    <Page title={texts.listTitle} code={lastStoreCode()}>
      {error !== undefined && !data ? <ErrorNotice error={error} again={again} /> : null}
      {isEmpty ? <p>{texts.none}</p> : data ? null : error === undefined ? <Skeleton lines={4} /> : null}
      <ul class="rows">
        {all.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </ul>
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      {first.length === pageOf && hasMore ? (
        <Button busy={busy} onClick={() => void readOlder()}>
          {texts.older}
        </Button>
      ) : null}
    </Page>
  );
}

function OrderRow({ order }: { readonly order: CustomerOrder }) {
  const texts = useTexts();
  const { money, dayAndTime } = useFormat();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const lines = order.items.map(({ quantity, name }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ');
  return (
    <li class="row">
      <Link href={`/orders/${order.id}`} class="row-press">
        <span class="row-main">
          <span class="row-title">{describeState(order, texts)}</span>
          <span class="row-detail">{lines}</span>
          <span class="row-detail">
            {order.store_name}, {dayAndTime(order.created_at, zone)}
          </span>
        </span>
        <span class="row-after">{money(order.total_pence, order.currency)}</span>
      </Link>
    </li>
  );
}
