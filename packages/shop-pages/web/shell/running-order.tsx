import { Link, useLocation } from 'wouter-preact';
import { describeState, underWay } from '../order/describe.ts';
import { useMyOrders } from '../order/use-my-orders.ts';
import { useTexts } from '../texts/use-texts.tsx';

export default function RunningOrder() {
  const texts = useTexts();
  const [at] = useLocation();
  const { data } = useMyOrders();
  const [order, ...others] = underWay(data?.orders ?? []);
  if (!order || /^\/orders(?:\/|$)/.test(at)) return null;
  const { id, collection_code: code } = order;
  return others.length > 0 ? (
    <Link href="/orders" class="running">
      {texts.order.severalUnderWay(others.length + 1)}
    </Link>
  ) : (
    <Link href={`/orders/${id}`} class="running">
      <span>
        {texts.order.title}: {describeState(order, texts)}
      </span>
      {code === null ? null : <strong>{code}</strong>}
    </Link>
  );
}
