import { Page } from '../../shell/page.tsx';
import { type Store, useStore } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { History } from './history.tsx';
import type { OwnCard } from './look.ts';
import { StampCard } from './stamp-card.tsx';
import { StampCode } from './stamp-code.tsx';
import { useCard } from './use-card.ts';
import { Vouchers } from './vouchers.tsx';
import { Wallet } from './wallet.tsx';

export default function CardPage({ code }: { readonly code: string }) {
  const { card: texts, shell } = useTexts();
  const { store, error: storeError, again: readStore } = useStore(code);
  const { card, error, offline, again } = useCard(store?.id);
  return (
    <Page title={texts.title} code={code}>
      {offline && card ? <Notice>{shell.offline}</Notice> : null}
      {store === null ? <Notice kind="warning">{shell.noSuchShop}</Notice> : null}
      {store && card ? <Card store={store} card={card} /> : null}
      {store && card === null ? <NoCard store={store} /> : null}
      {store !== null && card === undefined ? (
        (error ?? storeError) === undefined ? (
          <Skeleton lines={4} />
        ) : (
          <ErrorNotice error={error ?? storeError} again={storeError === undefined ? again : readStore} />
        )
      ) : null}
    </Page>
  );
}

function Card({ store, card }: { readonly store: Store; readonly card: OwnCard }) {
  const { card: texts } = useTexts();
  const hasProgramme = card.goal > 0;
  return (
    <>
      {hasProgramme ? (
        <section class="part">
          <StampCard name={store.name} count={card.stamp_count} goal={card.goal} reward={card.reward_name} look={card.look} />
          <Rules card={card} />
        </section>
      ) : (
        <p>{texts.noProgramme}</p>
      )}
      <Vouchers store={store} card={card} />
      <Memberships store={store} card={card} />
      {hasProgramme && card.enabled ? <StampCode storeId={store.id} /> : null}
      <Wallet storeId={store.id} />
      <History store={store} card={card} />
    </>
  );
}

function Rules({ card }: { readonly card: OwnCard }) {
  const { card: texts } = useTexts();
  const { money } = useFormat();
  const least = card.min_spend_pence > 1 ? money(card.min_spend_pence, card.currency) : null;
  const rule = { orders: texts.orders(card.stamps_per_order, least), visits: texts.visits, membership: null }[card.driver];
  return (
    <>
      {card.enabled ? null : <Notice>{texts.resting}</Notice>}
      {card.pending > 0 ? <Notice>{texts.pending(card.pending)}</Notice> : null}
      {card.owed > 0 ? <Notice>{texts.owed(card.owed)}</Notice> : null}
      {rule !== null && card.enabled ? <p class="hint">{rule}</p> : null}
    </>
  );
}

function Memberships({ store, card }: { readonly store: Store; readonly card: OwnCard }) {
  const { card: texts } = useTexts();
  const { day } = useFormat();
  const current = card.memberships.filter(({ status }) => status === 'active');
  if (current.length === 0) return null;
  return (
    <section class="part">
      <h2>{texts.membership}</h2>
      <ul class="rows">
        {current.map(({ store_id, plan_name, current_period_end: end }) => (
          <Row
            key={`${store_id} ${plan_name}`}
            title={plan_name ?? texts.membership}
            detail={end === null ? undefined : texts.memberUntil(day(end, store.time_zone))}
          />
        ))}
      </ul>
    </section>
  );
}

function NoCard({ store }: { readonly store: Store }) {
  const { card: texts } = useTexts();
  return (
    <>
      <section class="part">
        <p>{texts.none}</p>
        <p class="hint">{texts.noneHint}</p>
      </section>
      <StampCode storeId={store.id} />
    </>
  );
}
