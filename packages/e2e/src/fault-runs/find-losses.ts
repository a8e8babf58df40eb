import type { Message } from '@corner/sandbox/messages';
import { type Breach, breaches, findBreaches, type History, unknownEventsNamed } from '@corner/simulation';
import pg from 'pg';
import { readBooks } from '../testing/checker.ts';
import { addressOf } from './directory.ts';
import type { Span } from './fault.ts';
import { webhooksAgree } from './receivers/webhooks-agree.ts';
import type { Stage } from './stage.ts';
import { guestOf, type Visit, type VisitKind } from './visit.ts';

/**
 * Compares the responses that visitors got with the rows of all services, the provider's books and the mails. Returns every breach. In a
 * time whose commits a database has lost nothing was promised, and the books hold more, so neither is compared.
 */
export async function findLosses(stage: Stage, visits: readonly Visit[], forgotten: Span | null = null): Promise<Breach[]> {
  const { system } = stage;
  const kept = forgotten ? visits.filter(({ began, ended }) => ended < forgotten.from || began > forgotten.to) : visits;
  const history = forgotten ? withoutTime(stage.history, forgotten) : stage.history;
  const client = new pg.Client({ connectionString: system.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return [
      ...(await findBreaches(system.databaseUrl, forgotten ? null : await readBooks(system), history)),
      ...(await unknownEventsNamed(client)),
      ...(await findBrokenPromises(client, kept)),
      ...(await receiptsArrived(client, stage, kept)),
      ...(await nothingWaits(client)),
      ...(stage.receivers ? await webhooksAgree(client, stage, stage.receivers) : []),
    ];
  } finally {
    await client.end();
  }
}

function withoutTime(history: History, { from, to }: Span): History {
  const isOutside = (at: string) => {
    const moment = Date.parse(at) - performance.timeOrigin;
    return moment < from || moment > to;
  };
  return { ...history, calls: history.calls.filter(({ at }) => isOutside(at)) };
}

export async function findBrokenPromises(client: pg.Client, visits: readonly Visit[]): Promise<Breach[]> {
  return [...(await ordersAgree(client, visits)), ...(await stampsAgree(client, visits)), ...(await partiesAgree(client, visits))];
}

const accepted = (visits: readonly Visit[], ...kinds: VisitKind[]) =>
  visits.filter(({ kind, outcome }) => outcome === 'accepted' && kinds.includes(kind));
const idsOf = (visits: readonly Visit[]) => visits.map(({ id }) => id);

async function ordersAgree(client: pg.Client, visits: readonly Visit[]): Promise<Breach[]> {
  const orders = visits.filter(({ kind }) => kind.endsWith('order'));
  const twice = await client.query(
    `select idempotency_key from orders.orders where idempotency_key = any($1::uuid[]) group by 1 having count(*) > 1`,
    [orders.map(({ key }) => key)],
  );
  const unpaid = await client.query(
    `select id, payment_status from orders.orders where id = any($1::uuid[]) and payment_status <> 'paid'`,
    [idsOf([...accepted(orders, 'free order'), ...orders.filter(({ done }) => done.includes('confirm'))])],
  );
  const kept = await client.query(
    `select id, refunded_pence from orders.orders where id = any($1::uuid[]) and refunded_pence < total_pence`,
    [idsOf(orders.filter(({ done }) => done.includes('refund')))],
  );
  return [
    ...breaches('doubled', 'a key has one order', twice.rows),
    ...breaches('lost', 'a confirmed order is paid', unpaid.rows),
    ...breaches('lost', 'an accepted refund is made', kept.rows),
  ];
}

async function stampsAgree(client: pg.Client, visits: readonly Visit[]): Promise<Breach[]> {
  const keys = visits.map(({ key }) => key);
  const { rows } = await client.query<{ id: string; stamps: number; counting: number; refunded: boolean }>(
    `select o.id, o.refunded_pence >= o.total_pence and o.total_pence > 0 as refunded, count(s.id)::int as stamps,
       count(s.id) filter (where s.status = 'approved')::int as counting
     from orders.orders o left join loyalty.stamp s on s.order_id = o.id
     where o.idempotency_key = any($1::uuid[]) and o.payment_status = 'paid' group by o.id`,
    [keys],
  );
  const grants = accepted(visits, 'stamp');
  const missing = await client.query(
    `select a.id from unnest($1::uuid[]) a(id) where not exists (select from loyalty.stamp s where s.id = a.id)`,
    [idsOf(grants)],
  );
  const granted = await client.query(`select grant_key from loyalty.stamp where grant_key = any($1) group by 1 having count(*) > 1`, [
    keys,
  ]);
  return [
    ...breaches(
      'lost',
      'a paid order earns its stamp',
      rows.filter(({ stamps }) => stamps === 0),
    ),
    ...breaches(
      'doubled',
      'an order earns one stamp',
      rows.filter(({ stamps }) => stamps > 1),
    ),
    ...breaches(
      'lost',
      'a refund takes the stamp back',
      rows.filter(({ refunded, counting }) => refunded && counting > 0),
    ),
    ...breaches('lost', 'a granted stamp is there', missing.rows),
    ...breaches('doubled', 'a stamp is granted once', granted.rows),
  ];
}

async function partiesAgree(client: pg.Client, visits: readonly Visit[]): Promise<Breach[]> {
  const parties = visits.filter(({ kind }) => kind === 'party');
  const missing = await client.query(
    `select a.id from unnest($1::uuid[]) a(id) where not exists (select from queue.entry e where e.entry_id = a.id)`,
    [idsOf(accepted(parties, 'party'))],
  );
  const twice = await client.query(`select guest_name from queue.entry where guest_name = any($1) group by 1 having count(*) > 1`, [
    parties.map(({ key }) => guestOf(key)),
  ]);
  const waiting = await client.query(`select entry_id, status from queue.entry where entry_id = any($1::uuid[]) and ended_at is null`, [
    idsOf(parties.filter(({ done }) => done.includes('leave'))),
  ]);
  return [
    ...breaches('lost', 'an accepted place in the queue exists', missing.rows),
    ...breaches('doubled', 'a guest has one place', twice.rows),
    ...breaches('lost', 'a guest who left does not wait', waiting.rows),
  ];
}

async function receiptsArrived(client: pg.Client, { system }: Stage, visits: readonly Visit[]): Promise<Breach[]> {
  const { rows } = await client.query<{ order_id: string; message_id: string | null; state: string | null; address: string; due_at: Date }>(
    `select o.id as order_id, m.id as message_id, m.state, o.customer_id as address, m.attempts, m.reason, m.due_at,
       round(extract(epoch from m.due_at - now()))::int as due_in_seconds
     from orders.orders o join orders.outbox e on e.type = 'order.paid' and e.data->>'order_id' = o.id::text
       left join notifications.message m on m.event_id = e.event_id and m.template = 'order.paid' and m.channel = 'email'
     where o.idempotency_key = any($1::uuid[])`,
    [visits.map(({ key }) => key)],
  );
  const { mails, comparedFrom } = await arrivedMails(system.messagesUrl);
  return [
    ...breaches(
      'lost',
      'a paid order has a receipt',
      rows.filter(({ message_id }) => message_id === null),
    ),
    ...breaches(
      'lost',
      'a receipt is sent',
      rows.filter(({ state }) => state !== null && state !== 'sent'),
    ),
    ...breaches(
      'lost',
      'a sent receipt arrived',
      rows
        .filter(({ message_id, state, due_at }) => state === 'sent' && due_at >= comparedFrom && !mails.has(message_id ?? ''))
        .map((row) => ({ ...row, address: addressOf(row.address) })),
    ),
  ];
}

/** Counts by the message's id. The inbox keeps only the newest messages: in a long run those due before `comparedFrom` may be gone. */
async function arrivedMails(messagesUrl: string): Promise<{ readonly mails: ReadonlyMap<string, number>; readonly comparedFrom: Date }> {
  const inbox = (await (await fetch(`${messagesUrl}/inbox.json`)).json()) as readonly Message[];
  const mails = new Map<string, number>();
  for (const { channel, headers } of inbox) {
    const id = channel === 'email' ? /<([^@>]+)@/.exec(headers['message-id'] ?? '')?.[1] : undefined;
    if (id) mails.set(id, (mails.get(id) ?? 0) + 1);
  }
  const [first] = inbox;
  return { mails, comparedFrom: new Date(first && first.n > 1 ? first.at : 0) };
}

export async function mailsSentAgain({ system }: Stage): Promise<number> {
  return [...(await arrivedMails(system.messagesUrl)).mails.values()].filter((count) => count > 1).length;
}

async function nothingWaits(client: pg.Client): Promise<Breach[]> {
  const webhooks = await client.query(`select id from orders.provider_event where processed_at is null`);
  const messages = await client.query(`select id, template from notifications.message where state = 'pending' and due_at < now()`);
  return [
    ...breaches('wrong', 'every webhook is processed', webhooks.rows),
    ...breaches('wrong', 'every message is settled', messages.rows),
  ];
}
