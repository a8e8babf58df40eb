import { Link } from 'wouter-preact';
import { checkLines, subtotalOf } from '../../order/basket.ts';
import { useBasket } from '../../order/basket-store.ts';
import { withTip } from '../../order/total.ts';
import { useRead } from '../../session/use-read.ts';
import { Page } from '../../shell/page.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Extras } from './extras.tsx';
import { Lines } from './lines.tsx';
import { PlaceOrder } from './place-order.tsx';
import { Summary } from './summary.tsx';
import { WhenAndWhere } from './when-and-where.tsx';

export default function BasketPage({ code }: { readonly code: string }) {
  const texts = useTexts();
  const { store: found, error: storeError, again } = useStore(code);
  const read = useRead('/api/v1/orders/stores/{store_id}/menu', found ? { params: { path: { store_id: found.id } } } : null, {
    keep: true,
  });
  const [kept, change] = useBasket(code);
  const menu = `/s/${encodeURIComponent(code)}`;
  const error = storeError ?? read.error;
  if (!read.data)
    return (
      <Page title={texts.basket.title} code={code} back={menu}>
        {error === undefined ? <Skeleton /> : <ErrorNotice error={error} again={again} />}
      </Page>
    );
  const { store, items, has_slots, ready_times, pace } = read.data;
  const lines = checkLines(kept, items);
  const basket = withTip(kept, subtotalOf(lines), store.currency);
  if (lines.length === 0)
    return (
      <Page title={texts.basket.title} code={code} back={menu}>
        <p class="quiet">{texts.basket.empty}</p>
        <Link href={menu} class="button">
          {texts.basket.toMenu}
        </Link>
      </Page>
    );
  return (
    <Page
      title={texts.basket.title}
      back={menu}
      lead={<p class="quiet">{store.name}</p>}
      foot={<PlaceOrder code={code} store={store} basket={basket} lines={lines} readyFrom={pace?.ready_from ?? null} />}
    >
      {error === undefined ? null : <Notice>{texts.shell.offline}</Notice>}
      <Lines lines={lines} currency={store.currency} change={change} />
      <WhenAndWhere store={store} hasSlots={has_slots} usual={ready_times} pace={pace} basket={basket} lines={lines} change={change} />
      <Extras store={store} basket={basket} subtotalPence={subtotalOf(lines)} change={change} />
      <Summary basket={basket} lines={lines} currency={store.currency} />
    </Page>
  );
}
