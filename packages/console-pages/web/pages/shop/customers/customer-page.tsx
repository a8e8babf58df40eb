import type { CustomerMessages } from '@corner/console-api';
import { useState } from 'react';
import { Link } from 'wouter';
import { Ago, Badge, Empty, Failure, Id, Instant, Loaded, Loading, Page, Section } from '../../../components/index.ts';
import { money, plural } from '../../../logic/format.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { bySending, messageText } from '../../../logic/message-texts.ts';
import { manages } from '../../../logic/roles.ts';
import { usePage, useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { useStyle } from '../../../shell/use-style.ts';
import cardStyle from '../../../styles/customer.css' with { type: 'text' };
import { type CustomerReply, customerPath, type Stamp, stampsPath } from '../loyalty-operations.ts';
import { useZone } from '../operations.ts';
import { columnOf } from '../order-columns.ts';
import { OrderLink } from '../order-link.tsx';
import { columnTexts, useFoundOrders } from '../orders/index.ts';
import { type Entry, queuePath } from '../queue-operations.ts';
import { WriteMessage, WrittenMessages } from '../write-message.tsx';
import { CounterActions, RedeemDialog, voucherTitle } from './counter-actions.tsx';
import { StampReview } from './stamp-review.tsx';
import { reasonText, sourceText, stampsOf, undoable } from './stamps.ts';

type Messages = import('zod').output<typeof CustomerMessages>;

export default function CustomerPage() {
  const store = useStore();
  const customerId = usePage().params.customerId ?? '';
  const zone = useZone();
  const [code, setCode] = useState<string | null>(null);
  const [redeemed, redeem] = useState<Voucher | null>(null);
  const readAgainFor = { subjects: [customerId] };
  const state = useRead(customerPath(store.id, customerId), { readAgainFor });
  const pending = useRead(stampsPath(store.id, 'pending'), { readAgainFor });
  const approved = useRead(stampsPath(store.id, 'approved'), { readAgainFor });
  const waiting = stampsOf(pending.data?.stamps ?? [], customerId);
  const counted = stampsOf(approved.data?.stamps ?? [], customerId);
  const queue = useRead(queuePath(store.id), { readAgainFor });
  const entry = queue.data?.entries.find(({ customer_id }) => customer_id === customerId);
  const named = [...waiting, ...counted].find(({ customer }) => customer.name)?.customer.name;
  const { orders } = useFoundOrders(store.id, ordersOf(customerId));
  const name = named ?? entry?.customer_name ?? orders[0]?.customer_name ?? 'Customer';
  return (
    <Page title={name} about={<Id value={customerId} what="customer" />}>
      <Loaded of={state}>
        {(customer) => (
          <div className="customer-columns">
            <Section title="Card">
              <StampCard count={customer.stamp_count} goal={customer.goal} reward={customer.reward_name} />
              <CounterActions storeId={store.id} customerId={customerId} undo={undoable(counted)} />
            </Section>
            <Section title="Vouchers">
              {code && <p className="notice info" role="status">{`Redeemed. The code for the till is ${code}.`}</p>}
              <Vouchers vouchers={customer.active_vouchers} zone={zone} onRedeem={redeem} />
            </Section>
            <Section title="Known here">
              <Facts customer={customer} />
              {entry && <InQueue entry={entry} />}
            </Section>
          </div>
        )}
      </Loaded>
      {waiting.length > 0 && (
        <Section title="Waits for approval">
          <Waiting stamps={waiting} storeId={store.id} name={name} />
        </Section>
      )}
      <Orders storeId={store.id} customerId={customerId} zone={zone} />
      <Section title="Written and answered" controls={<WriteMessage customerId={customerId} name={name} />}>
        <WrittenMessages customerId={customerId} />
      </Section>
      <Sent storeId={store.id} customerId={customerId} />
      {redeemed && (
        <RedeemDialog storeId={store.id} customerId={customerId} voucher={redeemed} onRedeemed={setCode} onClose={() => redeem(null)} />
      )}
    </Page>
  );
}

type Voucher = CustomerReply['active_vouchers'][number];

interface VouchersProps {
  readonly vouchers: readonly Voucher[];
  readonly zone: string | undefined;
  onRedeem(voucher: Voucher): void;
}

function Vouchers({ vouchers, zone, onRedeem }: VouchersProps) {
  if (vouchers.length === 0) return <Empty title="No voucher." />;
  return (
    <ul className="cards">
      {vouchers.map((voucher) => (
        <li key={voucher.id} className="card">
          <div>
            <h3 className="card-title">{voucherTitle(voucher)}</h3>
            <p className="order-marks">
              {voucher.code && <code>{voucher.code}</code>}
              {voucher.expires_at && (
                <span className="quiet">
                  until <Instant at={voucher.expires_at} style="day" zone={zone} />
                </span>
              )}
            </p>
          </div>
          <button type="button" className="primary" onClick={() => onRedeem(voucher)}>
            Redeem<span className="unseen"> {voucherTitle(voucher)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

interface WaitingProps {
  readonly stamps: readonly Stamp[];
  readonly storeId: string;
  readonly name: string;
}

const Waiting = ({ stamps, storeId, name }: WaitingProps) => (
  <ul className="cards">
    {stamps.map(({ id, approval_reason, source, created_at }) => (
      <li key={id} className="card">
        <p className="order-marks">
          <Badge tone="warn">{reasonText(approval_reason)}</Badge>
          <span className="quiet">{sourceText(source)}</span>
          {created_at && <Ago at={created_at} />}
        </p>
        <StampReview storeId={storeId} stampId={id} name={name} />
      </li>
    ))}
  </ul>
);

const ordersOf = (customerId: string) => ({ q: customerId, from: '', to: '' });

function Orders({
  storeId,
  customerId,
  zone,
}: {
  readonly storeId: string;
  readonly customerId: string;
  readonly zone: string | undefined;
}) {
  const { orders, isPending, error, hasMore, readMore, readAgain } = useFoundOrders(storeId, ordersOf(customerId));
  return (
    <Section title="Orders">
      {error && <Failure error={error} retry={readAgain} />}
      {isPending ? <Loading /> : orders.length === 0 && <Empty title="No order." />}
      <ul className="message-list">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderLink orderId={order.id} number={order.order_number} />
            <Badge>{columnTexts[columnOf(order) ?? 'returned'].title}</Badge>
            <span>{money(order.total_pence, order.currency)}</span>
            <span className="quiet">{order.items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}</span>
            <Instant at={order.created_at} zone={zone} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <button type="button" onClick={readMore}>
          Show more
        </button>
      )}
    </Section>
  );
}

function InQueue({ entry }: { readonly entry: Entry }) {
  const { id: storeId } = useStore();
  const place = entry.queue_position === null ? entry.status : `place ${entry.queue_position}`;
  return (
    <p>
      <Link href={pathOf('/shop/:storeId/queue', { storeId })}>In the queue</Link>: {place}, since <Ago at={entry.joined_at} />
    </p>
  );
}

function Facts({ customer }: { readonly customer: CustomerReply }) {
  const { order_count, total_spent_pence, currency, membership, phone, email, last_visit_at } = customer;
  const isManager = manages(useStore().role);
  return (
    <dl className="known">
      <dt>Orders</dt>
      <dd>{plural(order_count, 'order')}</dd>
      <dt>Last visit</dt>
      <dd>{last_visit_at ? <Ago at={last_visit_at} /> : 'none'}</dd>
      <dt>Membership</dt>
      <dd>{membership.plan_name ?? membership.status ?? 'none'}</dd>
      {isManager && (
        <>
          <dt>Spent</dt>
          <dd>{money(total_spent_pence, currency)}</dd>
          <dt>Phone</dt>
          <dd>{phone ?? 'not shown'}</dd>
          <dt>E-mail</dt>
          <dd>{email ?? 'not shown'}</dd>
        </>
      )}
    </dl>
  );
}

const tones = { sent: 'good', failed: 'bad', pending: 'warn' } as const;

function Sent({ storeId, customerId }: { readonly storeId: string; readonly customerId: string }) {
  const read = useRead<Messages>(`/api/shop/${storeId}/customers/${encodeURIComponent(customerId)}/messages`, {
    readAgainFor: { subjects: [customerId] },
  });
  return (
    <Section title="Messages sent">
      <Loaded of={read}>
        {({ messages }) => {
          const { sent, notSent } = bySending(messages);
          return (
            <>
              {sent.length === 0 ? <Empty title="No message was sent." /> : <MessageList messages={sent} />}
              {notSent.length > 0 && (
                <details>
                  <summary>
                    {notSent.length === 1 ? 'One was not sent' : `${notSent.length} were not sent`}: not wanted, or of no use any more
                  </summary>
                  <MessageList messages={notSent} />
                </details>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

const MessageList = ({ messages }: Pick<Messages, 'messages'>) => (
  <ul className="message-list">
    {messages.map(({ message_id, type, channel, state, created_at, error }) => (
      <li key={message_id}>
        <Badge tone={tones[state as keyof typeof tones] ?? 'quiet'}>{state}</Badge>
        <span>{messageText(type)}</span>
        <span className="quiet">by {channel}</span>
        <Ago at={created_at} />
        {error && <span className="quiet">{error}</span>}
      </li>
    ))}
  </ul>
);

function StampCard({ count, goal, reward }: { readonly count: number; readonly goal: number; readonly reward: string }) {
  useStyle(cardStyle);
  const stamps = Array.from({ length: Math.min(Math.max(goal, 0), 30) }, (_, index) => index < count);
  return (
    <div className="stamp-card">
      <p className="stamp-count">
        <strong>{count}</strong> of {goal} stamps
      </p>
      <ol aria-hidden="true" className="stamps">
        {stamps.map((has, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stamp has no name but its place
          <li key={index} className={has ? 'stamp has' : 'stamp'} />
        ))}
      </ol>
      <p className="quiet">{reward}</p>
    </div>
  );
}
