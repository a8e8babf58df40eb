/** A fault to plant in a source file, and the tests that must fail with it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** The text to replace. The file contains it exactly once. */
  readonly find: string;
  readonly plant: string;
  /** Parts of the paths of test files, as jest takes them. */
  readonly tests: readonly string[];
}

const chassis = 'packages/chassis/src';
const orders = 'services/orders/src';
const notifications = 'services/notifications/src/messages';
const loyalty = 'services/loyalty/src';
const queue = 'services/queue/src';

export const mutants: readonly Mutant[] = [
  {
    name: 'an event is acknowledged before its effects are committed',
    file: `${chassis}/inbox/partitions.ts`,
    find: 'await using _ = keepAlive([...batch, ...queue]);',
    plant: "for (const { message } of batch) respond(message, 'ack');\n  await using _ = keepAlive([...batch, ...queue]);",
    tests: ['chassis/src/inbox/consumer.test', 'chassis/src/inbox/consumer-faults.test'],
  },
  {
    name: 'the inbox is written outside the transaction of the effects',
    file: `${chassis}/inbox/inbox.ts`,
    find: 'const newIds = await recordProcessed(tx, batch);',
    plant: 'const newIds = await options.database.transaction((own) => recordProcessed(own, batch));',
    tests: ['chassis/src/inbox/consumer.test', 'chassis/src/inbox/consumer-faults.test'],
  },
  {
    name: 'an event of a batch joins an earlier call, past another event of its aggregate',
    file: `${chassis}/inbox/run-event-handlers.ts`,
    find: 'const joins = joined >= (lastOfAggregate.get(subject) ?? 0);',
    plant: 'const joins = joined >= (lastOfAggregate.get(subject) ?? 0) || joined >= 0;',
    tests: ['chassis/src/inbox/event-sets.test'],
  },
  {
    name: 'awards are written although their card changed since it was read',
    file: `${loyalty}/tables/awards.ts`,
    find: 'where c.xmin::text = (select d.seen from decided d where d.store_id = c.store_id and d.customer_id = c.customer_id)',
    plant: '',
    tests: ['award-stamps-when-order-paid.test'],
  },
  {
    name: 'the relay reads the outbox with a cursor over ids',
    file: `${chassis}/outbox/relay-batches.ts`,
    find: `    (select * from outbox where transaction_id >= $1::xid8 order by transaction_id limit \${pageSize + 1})
    union all
    (select * from outbox where transaction_id = any($2::xid8[]) order by transaction_id limit \${pageSize + 1})`,
    plant: `    select * from outbox where ($1::xid8 is null or $2::xid8[] is null or true)
          and id > coalesce((select max(p.id) from outbox p, relay_state s where pg_visible_in_snapshot(p.transaction_id, s.snapshot)), 0)`,
    tests: ['chassis/src/outbox/relay.test', 'chassis/src/outbox/relay-faults.test'],
  },
  {
    name: 'the statement that takes a batch does not record the acknowledgement of the one before',
    file: `${chassis}/outbox/relay-batches.ts`,
    find: `with acknowledged as (\${acknowledge(`,
    plant: `with acknowledged as (\${acknowledge('0 * ' + `,
    tests: ['chassis/src/outbox/relay-round-trips.test'],
  },
  {
    name: 'a service looks for due jobs again and again, though none is due',
    file: `${chassis}/jobs/jobs.ts`,
    find: '(due_in_ms > 0 ? due_in_ms : ',
    plant: '(due_in_ms > 0 ? Math.min(due_in_ms, 250) : ',
    tests: ['chassis/src/jobs/jobs.test'],
  },
  {
    name: 'the relay never checks whether the broker lost an acknowledged event',
    file: `${chassis}/outbox/relay-rewind.ts`,
    find: 'return message?.header?.get(',
    plant: 'return true || message?.header?.get(',
    tests: ['chassis/src/outbox/relay.test', 'chassis/src/outbox/relay-faults.test'],
  },
  {
    name: 'order.paid is published after the commit that marks the order as paid',
    file: `${orders}/transactions/accept-payment.ts`,
    find: 'const paid = await writeAcceptedPayment(queries, payment, now);',
    plant: `const { sql } = await import('slonik');
  const { outboxColumns } = await import('@corner/chassis');
  const none = sql.fragment\`select \${outboxColumns} from outbox where false\`;
  const paid = await writeAcceptedPayment(queries, { ...payment, events: none }, now);
  if (paid) await (queries as Queries).query(sql.type(null as never)\`
    with paid as (select * from orders where id = \${order.id}) insert into outbox (\${outboxColumns}) \${payment.events}\`);`,
    tests: ['orders/src/sagas/settle-payment.test'],
  },
  {
    name: 'an order that lost a race for a collection code or for being the first is run again',
    file: `${orders}/transactions/repeat-after-race.ts`,
    find: '!isRace || n === mostRaces',
    plant: 'isRace || n === mostRaces',
    tests: ['orders/src/transactions/repeat-after-race.test'],
  },
  {
    name: 'each request to the provider has a key of its own',
    file: `${orders}/sagas/ask-provider.ts`,
    find: 'ask.make(call.idempotency_key)',
    plant: 'ask.make(Math.random() + call.idempotency_key)',
    tests: ['orders/src/operations/refund-order-once.test', 'orders/src/sagas/repeat-after-lost-response.test'],
  },
  {
    name: 'a request that ended in an error of the provider is repeated under the same key',
    file: `${orders}/rules/provider-calls.ts`,
    find: "case 'failed':",
    plant: "case 'failed':\n      if (state) return 'ask';",
    tests: ['orders/src/sagas/kept-errors.test'],
  },
  {
    name: 'a webhook signature is verified on re-serialized JSON',
    file: `${orders}/webhooks/stripe.ts`,
    find: 'webhookVerifier.verify(body,',
    plant: 'webhookVerifier.verify(Buffer.from(JSON.stringify(JSON.parse(body.toString()))),',
    tests: ['orders/src/webhooks/stripe.test'],
  },
  {
    name: 'an old webhook is accepted, because its age is computed in seconds instead of milliseconds',
    file: `${orders}/adapters/provider-events.ts`,
    find: 'undefined, now.getTime());',
    plant: 'undefined, Math.floor(now.getTime() / 1000));',
    tests: ['orders/src/webhooks/stripe.test'],
  },
  {
    name: 'the holds of an unpaid order are released before its intent is cancelled',
    file: `${orders}/jobs/expire-unpaid-orders.ts`,
    find: 'const intent = order.payment_intent_id ?',
    plant: 'await expire(context, order);\n      const intent = order.payment_intent_id ?',
    tests: ['orders/src/jobs/expire-unpaid-orders.test'],
  },
  {
    name: 'an order is read without a lock',
    file: `${orders}/tables/order-family.ts`,
    find: 'for update of o`);',
    plant: '`);',
    tests: ['orders/src/operations/refund-order-once.test'],
  },
  {
    name: 'a refund made at the provider’s dashboard is ignored',
    file: `${orders}/sagas/settle-refunds.ts`,
    find: 'await database.transaction(',
    plant: 'if (ownId) await database.transaction(',
    tests: ['orders/src/sagas/settle-refunds.test'],
  },
  {
    name: 'a refund of our own is treated as one made at the provider’s dashboard',
    file: `${orders}/sagas/settle-refunds.ts`,
    find: 'id === refund.refundId',
    plant: 'id === refund.refundId && false',
    tests: ['orders/src/sagas/settle-refunds.test'],
  },
  {
    name: 'every event about a dispute records the dispute again',
    file: `${orders}/transactions/note-dispute.ts`,
    find: 'if (before === state) return written;',
    plant: '',
    tests: ['orders/src/sagas/note-disputes.test'],
  },
  {
    name: 'a claim is taken over while its process lives',
    file: 'packages/chassis/src/http/idempotency.ts',
    find: 'pg_try_advisory_xact_lock_shared(idempotency_key.holder)',
    plant: 'true',
    tests: ['chassis/src/http/idempotency.test'],
  },
  {
    name: 'a refusal that may pass is kept under its key',
    file: 'packages/contracts/src/problems.ts',
    find: "problems[code].final && headers['Retry-After'] === undefined",
    plant: 'problems[code].status < 500',
    tests: ['chassis/src/http/idempotency-key.test'],
  },
  {
    name: 'the store’s share of a disputed payment is never taken back',
    file: `${orders}/rules/disputes.ts`,
    find: "if (borne_by === 'platform' || share_pence === 0) return null;",
    plant: 'return null;',
    tests: ['orders/src/sagas/note-disputes.test'],
  },
  {
    name: 'a refund that fails after it was accepted still counts',
    file: `${orders}/rules/refund-settlement.ts`,
    find: "if (refund.status === 'failed' || refund.status === 'canceled') return null;",
    plant: 'if (refund.counted) return null;',
    tests: ['orders/src/rules/refund-settlement.test', 'orders/src/sagas/settle-refunds.test'],
  },
  {
    name: 'a lost dispute lets the order be refunded',
    file: `${orders}/transactions/note-dispute.ts`,
    find: "const disputed = state !== 'won' ||",
    plant: "const disputed = state === 'opened' ||",
    tests: ['orders/src/sagas/note-disputes.test'],
  },
  {
    name: 'the store bears more of a dispute than it received',
    file: `${orders}/rules/disputes.ts`,
    find: 'after - before - (feeOf(after) - feeOf(before))',
    plant: 'after - before',
    tests: ['orders/src/sagas/note-disputes.test'],
  },
  {
    name: 'the cursor over the provider’s events moves although they could not be read',
    file: `${orders}/jobs/read-provider-events.ts`,
    find: 'const listed = await providerEvents.eventsCreated(new Date(from - overlapMs), new Date(to));',
    plant: 'const listed = await providerEvents.eventsCreated(new Date(from - overlapMs), new Date(to)).catch(() => []);',
    tests: ['orders/src/jobs/read-provider-events.test'],
  },
  {
    name: 'an order is placed although the store’s account is restricted',
    file: `${orders}/rules/placement.ts`,
    find: ' || store.account_restricted',
    plant: '',
    tests: ['orders/src/jobs/read-accounts.test'],
  },
  {
    name: 'the live list is sorted by a time that changes while a client pages',
    file: `${orders}/tables/order-lists.ts`,
    find: 'coalesce(o.first_collection_at, o.requested_collection_at, o.created_at)',
    plant: 'coalesce(o.requested_collection_at, o.created_at)',
    tests: ['orders/src/operations/list-orders.test'],
  },
  {
    name: 'discounts are split into amounts that the currency cannot be refunded in',
    file: `${orders}/rules/pricing.ts`,
    find: ').map((share) => share * step);',
    plant: ').map((share, n) => share * step + (n === 0 ? 1 : n === 1 ? -1 : 0));',
    tests: ['orders/src/rules/pricing.test'],
  },
  {
    name: 'a slot within a closure can be booked',
    file: `${orders}/rules/slots.ts`,
    find: 'if (closed) throw new Problem(',
    plant: 'if (closed && closed < now) throw new Problem(',
    tests: ['orders/src/operations/create-order-closed.test'],
  },
  {
    name: 'a text is repeated without a look at what was sent',
    file: `${notifications}/adapters/twilio.ts`,
    find: 'if (delivery.isRepeat) {',
    plant: 'if (delivery.isRepeat && delivery.id === delivery.to) {',
    tests: ['messages/sagas/send-sms.test'],
  },
  {
    name: 'a lease that expired does not make its messages repeats',
    file: `${notifications}/tables/leases.ts`,
    find: 'lease_token is not null as taken_over',
    plant: 'false as taken_over',
    tests: ['messages/sagas/send-sms.test'],
  },
  {
    name: 'a message that comes to a topic while another one of it is being sent is forgotten',
    file: `${notifications}/tables/leases.ts`,
    find: 'case when t.updated_at = s.version then s.due_at else t.due_at end',
    plant: 's.due_at',
    tests: ['messages/sagas/deliver-leases.test'],
  },
  {
    name: 'messages of a lease that another replica holds are settled',
    file: `${notifications}/tables/leases.ts`,
    find: 'm.id = s.id and m.topic = given.key and',
    plant: 'm.id = s.id and',
    tests: ['messages/sagas/deliver-leases.test'],
  },
  {
    name: 'a digest of waiting stamps is created although another replica has created it',
    file: `${notifications}/transactions/send-stamp-digests.ts`,
    find: 'waiting && (!waiting_notified_at || new Date(waiting_notified_at) <= notifiedBefore)',
    plant: 'waiting',
    tests: ['messages/jobs/notify-stores-of-stamps.test'],
  },
  {
    name: 'a guest’s place that a customer has taken over can be taken again',
    file: `${queue}/transactions/take-over-entry.ts`,
    find: ' || (named.customer_id !== null && named.customer_id !== customerId)',
    plant: '',
    tests: ['queue/src/operations/join-queue-keeps-place.test'],
  },
  {
    name: 'opening the page of an unsubscribe link switches the messages off',
    file: `${notifications}/webhooks/unsubscribe.ts`,
    find: "run: (request, context) => respond('ask', request, context),",
    plant: 'run: (request, context) => unsubscribe.run(request, context),',
    tests: ['messages/webhooks/unsubscribe.test'],
  },
  {
    name: 'what a person typed is markup in a mail',
    file: `${notifications}/texts/render-html.ts`,
    find: `text.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark)`,
    plant: 'text',
    tests: ['messages/sagas/send-email.test'],
  },
  {
    name: 'a receipt is sent without its lines while orders is away',
    file: `${notifications}/sagas/send-email.ts`,
    find: 'if (error instanceof Problem) return null;',
    plant: 'if (error) return null;',
    tests: ['messages/sagas/send-email.test'],
  },
  {
    name: 'a receipt has the VAT rates of the present menu',
    file: `${orders}/tables/receipts.ts`,
    find: "'vat_rate_bps', l.vat_rate_bps)",
    plant: "'vat_rate_bps', (select m.vat_rate_bps from menu_item m where m.store_id = f.store_id and m.id = l.menu_item_id))",
    tests: ['orders/src/rpc-handlers/read-receipt.test'],
  },
  {
    name: 'messages are settled by a join with rows alone, which reads every message',
    file: `${notifications}/tables/leases.ts`,
    find: 'where m.id = any(',
    plant: 'where null is distinct from (',
    tests: ['notifications/src/messages/jobs/drop-old-messages.test'],
  },
  {
    name: 'a read of an order looks at every disputed order',
    file: `${orders}/tables/orders.ts`,
    find: 'coalesce((select m.disputed from orders m where m.id = o.parent_order_id), false)',
    plant: 'exists (select 1 from orders m where m.id = o.parent_order_id and m.disputed)',
    tests: ['orders/src/operations/get-order.test'],
  },
];
