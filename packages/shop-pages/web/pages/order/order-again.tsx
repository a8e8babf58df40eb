import type { CustomerOrder } from '@corner/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { addOrdered } from '../../order/basket.ts';
import { useBasket } from '../../order/basket-store.ts';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { useTrying } from '../../ui/use-trying.ts';

export function OrderAgain({ order, store }: { readonly order: CustomerOrder; readonly store: Store }) {
  const { order: texts } = useTexts();
  const client = useClient();
  const [, navigate] = useLocation();
  const [basket, change] = useBasket(store.code);
  const { busy, failed, trying } = useTrying();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const toBasket = () => navigate(`/s/${encodeURIComponent(store.code)}/basket`);
  const orderAgain = () =>
    trying(async () => {
      const { data } = await client.GET('/api/v1/orders/stores/{store_id}/menu', { params: { path: { store_id: store.id } } });
      change((before) => addOrdered(before, order.items, data.items).basket);
      const names = addOrdered(basket, order.items, data.items).missing;
      setMissing(names);
      if (names.length === 0) toBasket();
    });
  return (
    <>
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      <Button kind="main" busy={busy} onClick={() => void orderAgain()}>
        {texts.again}
      </Button>
      {missing.length > 0 ? (
        <Sheet
          title={texts.againMissing}
          onClose={() => setMissing([])}
          foot={
            <Button kind="main" onClick={toBasket}>
              {texts.toBasket}
            </Button>
          }
        >
          <ul>
            {missing.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </Sheet>
      ) : null}
    </>
  );
}
