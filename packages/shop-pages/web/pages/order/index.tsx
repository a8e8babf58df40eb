import type { CustomerOrder } from '@corner/client';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { finishPaid } from '../../order/after-order.ts';
import { attemptOf, finishAttempt } from '../../order/attempts.ts';
import { Bill } from '../../order/bill.tsx';
import { describeHint, describeState, hasEnded, isDelayed, isUnpaid, stepOf, steps } from '../../order/describe.ts';
import { useRead } from '../../session/use-read.ts';
import { FindUs } from '../../shell/find-us.tsx';
import { Page } from '../../shell/page.tsx';
import { lastStoreCode, type Store } from '../../shell/use-store.ts';
import { useStoreOf } from '../../shell/use-store-of.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AfterPaying } from './after-paying.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { CollectEarlier } from './collect-earlier.tsx';
import { OrderAgain } from './order-again.tsx';
import { StampsOfOrder } from './stamps-of-order.tsx';

export default function OrderPage({ id }: { readonly id: string }) {
  const { order: texts, shell } = useTexts();
  const { data, error, again, noCustomer, offline } = useRead(
    '/api/v1/orders/{orderId}/mine',
    { params: { path: { orderId: id } } },
    { keep: true },
  );
  const order = data?.order;
  const store = useStoreOf(order?.store_id);
  useEffect(() => {
    const attempt = attemptOf(id);
    if (!order || isUnpaid(order) || attempt?.state !== 'placed') return;
    if (order.status === 'expired' || order.status === 'cancelled') finishAttempt(attempt.attempt_id);
    else finishPaid(attempt);
  }, [order?.status]);
  if (order) return <ShownOrder order={order} store={store} again={again} notice={offline ? shell.offline : undefined} />;
  return (
    <Page title={noCustomer ? texts.otherPhone : texts.title} code={lastStoreCode()}>
      {noCustomer ? (
        <p>{texts.otherPhoneHint}</p>
      ) : error === undefined ? (
        <Skeleton lines={5} />
      ) : (
        <ErrorNotice error={error} again={again} />
      )}
    </Page>
  );
}

interface ShownOrderProps {
  readonly order: CustomerOrder;
  readonly store: Store | undefined;
  readonly again: () => void;
  readonly notice: string | undefined;
}

function ShownOrder({ order, store, again, notice }: ShownOrderProps) {
  const texts = useTexts();
  const format = useFormat();
  const { order: words } = texts;
  const zone = store?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const state = describeState(order, texts);
  const hint = describeHint(order, texts, format, zone);
  const parts = { order, zone, again };
  const attempt = isUnpaid(order) ? attemptOf(order.id) : undefined;
  return (
    <Page
      title={state}
      code={store?.code ?? lastStoreCode()}
      lead={
        <>
          {hint === null ? null : <p class={isDelayed(order) ? 'order-hint delayed' : 'order-hint'}>{hint}</p>}
          <p class="quiet">{words.number(order.order_number, order.store_name)}</p>
          <p class="only-read-out" role="status">
            {[state, hint].filter(Boolean).join('. ')}
          </p>
        </>
      }
    >
      {notice === undefined ? null : <Notice>{notice}</Notice>}
      <Progress order={order} />
      {attempt && store ? (
        <Link class="button main" href={`/s/${encodeURIComponent(store.code)}/pay/${attempt.attempt_id}`}>
          {words.goOnPaying}
        </Link>
      ) : null}
      <Code order={order} />
      {store && hasEnded(order) && order.items.length > 0 ? <OrderAgain order={order} store={store} /> : null}
      {order.refunded_pence > 0 ? <Notice>{words.refund(format.money(order.refunded_pence, order.currency))}</Notice> : null}
      <CollectEarlier {...parts} />
      <AfterPaying order={order} store={store} />
      <section class="part">
        <h2>{words.title}</h2>
        <Bill order={order} />
      </section>
      {isUnpaid(order) ? null : <StampsOfOrder orderId={order.id} />}
      <FindUs store={store} />
      <Links order={order} />
      <CancelOrder {...parts} />
    </Page>
  );
}

function Links({ order: { receipt_url } }: { readonly order: CustomerOrder }) {
  const { order: texts } = useTexts();
  return (
    <ul class="rows">
      {receipt_url === null ? null : (
        <li class="row">
          <a class="row-press" href={receipt_url} target="_blank" rel="noopener">
            <span class="row-title">{texts.receipt}</span>
          </a>
        </li>
      )}
      <li class="row">
        <Link class="row-press" href="/orders">
          <span class="row-title">{texts.all}</span>
        </Link>
      </li>
    </ul>
  );
}

/** An order for a table shows no steps: its heading has the state. */
function Progress({ order }: { readonly order: CustomerOrder }) {
  const { order: texts } = useTexts();
  const step = stepOf(order);
  if (step === null || order.table_number !== null) return null;
  const at = steps.indexOf(step);
  return (
    <ol class="progress" aria-label={texts.progress}>
      {steps.map((one, index) => (
        <li key={one} class={index <= at ? 'done' : undefined} aria-current={index === at ? 'step' : undefined}>
          {texts.steps[one]}
        </li>
      ))}
    </ol>
  );
}

function Code({ order }: { readonly order: CustomerOrder }) {
  const { order: texts } = useTexts();
  const isLive = (status: string | null) => status !== null && status !== 'collected' && status !== 'cancelled';
  const codes = [
    { name: texts.codeIs, code: isLive(order.fulfilment_status) && stepOf(order) ? order.collection_code : null },
    ...order.children.map(({ order_number, collection_code, fulfilment_status }) => ({
      name: `${texts.partOf(order_number)}. ${texts.codeIs}`,
      code: isLive(fulfilment_status) ? collection_code : null,
    })),
  ];
  return codes.map(({ name, code }) =>
    code === null ? null : (
      <p key={code} class={order.fulfilment_status === 'ready' ? 'order-code ready' : 'order-code'}>
        <span>{name}</span>
        <strong>{code}</strong>
      </p>
    ),
  );
}
