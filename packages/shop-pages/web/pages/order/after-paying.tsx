import type { CustomerOrder } from '@corner/client';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type AfterOrder, keepAfterOrder, useAfterOrder } from '../../order/after-order.ts';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';

/** The stamps that an order earned, and the question about news of the shop, asked once. Only for the order that was paid last here. */
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
      <MarketingAsk order={order} after={after} />
    </>
  );
}

function MarketingAsk({ order, after }: { readonly order: CustomerOrder; readonly after: AfterOrder }) {
  const { order: texts } = useTexts();
  const client = useClient();
  const [state, setState] = useState<'asking' | 'sending' | 'answered'>('asking');
  const [error, setError] = useState<unknown>();
  const answer = async (accepted: boolean) => {
    if (state === 'sending') return;
    setState('sending');
    setError(undefined);
    try {
      await client.POST('/api/v1/notifications/marketing-opt-in', { body: { store_id: order.store_id, accepted } });
      setState('answered');
      keepAfterOrder({ ...after, ask_marketing: false });
    } catch (failure) {
      setError(failure);
      setState('asking');
    }
  };
  if (state === 'answered') return <Notice title={texts.asked} />;
  if (!after.ask_marketing) return null;
  return (
    <section class="ask" aria-labelledby="ask">
      <h2 id="ask">{texts.ask(order.store_name)}</h2>
      <p class="quiet">{texts.askHint}</p>
      <div class="ask-answers">
        <Button busy={state === 'sending'} onClick={() => void answer(true)}>
          {texts.askYes}
        </Button>
        <Button onClick={() => void answer(false)}>{texts.askNo}</Button>
      </div>
      {error === undefined ? null : <ErrorNotice error={error} />}
    </section>
  );
}
