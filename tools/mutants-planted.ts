/** A fault to plant, and who must notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly plant: string;
  /** jest patterns. */
  readonly tests: readonly string[];
}

const chassis = 'packages/chassis/src';
const orders = 'services/orders/src';

export const mutants: readonly Mutant[] = [
  {
    name: 'an event is acknowledged before its effects are committed',
    file: `${chassis}/lanes.ts`,
    find: 'await using _ = keepAlive([...batch, ...queue]);',
    plant: "for (const { message } of batch) said(message, 'ack');\n  await using _ = keepAlive([...batch, ...queue]);",
    tests: ['chassis/src/listen.test'],
  },
  {
    name: 'the inbox is written outside the transaction of the effects',
    file: `${chassis}/inbox.ts`,
    find: 'const fresh = await recordHeard(tx, batch);',
    plant: 'const fresh = await options.database.transaction((own) => recordHeard(own, batch));',
    tests: ['chassis/src/listen.test'],
  },
  {
    name: 'the relay reads by a cursor over ids',
    file: `${chassis}/relay-batches.ts`,
    find: `        select * from outbox where transaction_id >= $1::xid8
        union all
        select * from outbox where transaction_id = any($2::xid8[])`,
    plant: `        select * from outbox where ($1::xid8 is null or $2::xid8[] is null or true)
          and id > coalesce((select max(p.id) from outbox p, relay_state s where pg_visible_in_snapshot(p.transaction_id, s.snapshot)), 0)`,
    tests: ['chassis/src/relay.test'],
  },
  {
    name: 'the relay takes an acknowledgement for the last word',
    file: `${chassis}/relay-rewind.ts`,
    find: 'return message?.header?.get(',
    plant: 'return true || message?.header?.get(',
    tests: ['chassis/src/relay.test'],
  },
  {
    name: 'an order is told as paid after the commit that made it so',
    file: `${orders}/sagas/settle-payment.ts`,
    find: 'await database.transaction((tx) => markPaid(tx, payment));',
    plant: `await (async () => {
    const late: Parameters<typeof database.query>[0][] = [];
    const done = await database.transaction((tx) =>
      markPaid({ ...tx, query: (one: never) => ((one as { sql: string }).sql.includes('into outbox') ? late.push(one) : tx.query(one)) } as never,
        payment));
    for (const one of late) await database.query(one);
    return done;
  })();`,
    tests: ['orders/src/sagas/settle-payment.test'],
  },
  {
    name: 'a refund that is repeated has a key of its own each time',
    file: `${orders}/adapters/payments.ts`,
    find: 'idempotencyKey: `refund:',
    plant: 'idempotencyKey: Math.random() + `refund:',
    tests: ['orders/src/operations/refund-order-once.test', 'orders/src/sagas/repeat-after-lost-response.test'],
  },
  {
    name: 'an intent that is asked for again has a key of its own each time',
    file: `${orders}/adapters/payments.ts`,
    find: 'idempotencyKey: `pi:',
    plant: 'idempotencyKey: Math.random() + `pi:',
    tests: ['orders/src/sagas/repeat-after-lost-response.test'],
  },
  {
    name: 'a webhook is verified on JSON that was made again',
    file: `${orders}/webhooks/stripe.ts`,
    find: 'verifyWebhook(body,',
    plant: 'verifyWebhook(Buffer.from(JSON.stringify(JSON.parse(body.toString()))),',
    tests: ['orders/src/webhooks/stripe.test'],
  },
  {
    name: 'a webhook never grows old: its age is reckoned in seconds where milliseconds are meant',
    file: `${orders}/adapters/payments.ts`,
    find: 'undefined, now.getTime());',
    plant: 'undefined, Math.floor(now.getTime() / 1000));',
    tests: ['orders/src/webhooks/stripe.test'],
  },
  {
    name: 'what an unpaid order holds is free before its intent is cancelled',
    file: `${orders}/jobs/expire-unpaid-orders.ts`,
    find: 'const intent = order.payment_intent_id ?',
    plant: 'await expire(context, order);\n      const intent = order.payment_intent_id ?',
    tests: ['orders/src/jobs/expire-unpaid-orders.test'],
  },
  {
    name: 'an order is read without being locked',
    file: `${orders}/tables/order-family.ts`,
    find: 'for update of o`);',
    plant: '`);',
    tests: ['orders/src/operations/refund-order-once.test'],
  },
  {
    name: 'a refund made at the provider’s dashboard is left alone',
    file: `${orders}/sagas/settle-refunds.ts`,
    find: ': adoptRefund(tx,',
    plant: ': Promise.resolve(null) ?? adoptRefund(tx,',
    tests: ['orders/src/sagas/settle-refunds.test'],
  },
  {
    name: 'a refund of ours is taken for one made at the provider’s dashboard',
    file: `${orders}/sagas/settle-refunds.ts`,
    find: 'refundId && own.has(refundId)',
    plant: 'refundId && own.has(refundId) && false',
    tests: ['orders/src/sagas/settle-refunds.test'],
  },
  {
    name: 'a dispute is noted again with every event',
    file: `${orders}/transactions/note-dispute.ts`,
    find: ' || family.main.disputed === open',
    plant: '',
    tests: ['orders/src/sagas/note-disputes.test'],
  },
];
