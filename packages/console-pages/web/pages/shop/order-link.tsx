import { Link } from 'wouter';
import { shortId } from '../../logic/format.ts';
import { pathOf } from '../../logic/match-route.ts';
import { useStore } from '../../shell/context.ts';

export function OrderLink({ orderId, number }: { readonly orderId: string; readonly number: string | null }) {
  const { id: storeId } = useStore();
  return (
    <Link href={`${pathOf('/shop/:storeId/orders', { storeId })}?order=${encodeURIComponent(orderId)}`}>{number ?? shortId(orderId)}</Link>
  );
}
