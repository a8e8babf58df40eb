import type { CustomerOrder } from '@corner/client';
import { Link } from 'wouter-preact';
import { keepAfterOrder, useAfterOrder } from '../../order/after-order.ts';
import type { Store } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MarketingAsk } from '../me/index.ts';

export function AfterPaying({ order, store }: { readonly order: CustomerOrder; readonly store: Store | undefined }) {
  const { order: texts } = useTexts();
  const after = useAfterOrder(order.id);
  if (!after || order.status === 'cancelled' || order.status === 'refunded') return null;
  const { stamps_added: added, stamp_count: count, goal, reward_title: reward } = after;
  return (
    <>
      {added !== null && added > 0 ? (
        <Notice kind="good" title={texts.stamps(added)}>
          <p>{reward !== null ? texts.reward(reward) : count !== null && goal ? texts.stampsOf(count, goal) : null}</p>
          {store ? <Link href={`/s/${encodeURIComponent(store.code)}/card`}>{texts.toCard}</Link> : null}
        </Notice>
      ) : null}
      {after.answered ? null : (
        <MarketingAsk storeId={order.store_id} shop={order.store_name} onAnswered={() => keepAfterOrder({ ...after, answered: true })} />
      )}
    </>
  );
}
