import { randomInt } from 'node:crypto';
import { outboxColumns, outboxValues, type Transaction } from '@corner/chassis';
import {
  customerSeen,
  type DataInputOf,
  type EventContract,
  multiStampConfirmed,
  type StampData,
  stampApproved,
  type VoucherData,
  voucherMinted,
} from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';
import { voucherCode } from '../rules/codes.ts';

/** Instants as they are answered. */
export const instant = (column: ReturnType<typeof sql.fragment>) =>
  sql.fragment`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const none = z.object({});

const Programme = z.object({
  goal: z.number(),
  enabled: z.boolean(),
  reward_title: z.string(),
  reward_unlock_message: z.string().nullable(),
  stamps_per_order: z.number(),
  min_spend_pence: z.number(),
  daily_stamp_limit: z.number(),
  monthly_stamp_quota: z.number().nullable(),
  plan_key: z.string(),
  time_zone: z.string(),
  settings: z.object({ approval_mode: z.enum(['auto', 'manual']), multi_stamp: z.object({ monthly_ceiling: z.number() }) }),
});
const Locked = z.object({ version: z.number(), programme: Programme.nullable() });

/** A card locked for a change, with its programme. What is told of it is numbered without gaps. */
export interface Card extends z.output<typeof Programme> {
  readonly storeId: string;
  readonly customerId: string;
  tellStamp(
    event: EventContract<typeof StampData>,
    data: Omit<z.input<typeof StampData>, 'store_id' | 'customer_id' | 'goal'>,
  ): Promise<void>;
  tellVoucher(event: EventContract<typeof VoucherData>, data: Omit<z.input<typeof VoucherData>, 'store_id' | 'customer_id'>): Promise<void>;
  tellMultiStamp(data: Pick<DataInputOf<typeof multiStampConfirmed>, 'request_id' | 'stamps' | 'stamp_count'>): Promise<void>;
}

/**
 * Opens the card when there is none, locks it either way, and tells of a customer seen for the first time. With `quota` the store's
 * is locked before it, as {@link lockQuota} does. Null for a store without a programme, or one the directory has not told of:
 * nothing is earned there.
 */
export async function lockCard(
  tx: Transaction,
  storeId: string,
  customerId: string,
  at: Date,
  { quota = false }: { readonly quota?: boolean } = {},
): Promise<Card | null> {
  const locked = await tx.one(sql.prepared(quota ? 'lock-quota-and-card' : 'lock-card', Locked)`
    with running as materialized (
      select to_jsonb(p) || jsonb_build_object('time_zone', s.time_zone) as programme
      from programme p join store s on s.id = p.store_id where p.store_id = ${storeId} ${quota ? sql.fragment`for update of p` : sql.fragment``}
    ),
    locked as (
      insert into card (store_id, customer_id, created_at)
      select ${storeId}, ${customerId}, ${at.toISOString()} from (select count(*) from running) first
      on conflict (store_id, customer_id) do update set version = card.version
      returning version
    )
    select version, (select programme from running) as programme from locked`);
  let { version } = locked;
  const next = async <E extends EventContract>(event: E, data: DataInputOf<E>): Promise<void> => {
    version += 1;
    const publication = { aggregateId: `${storeId}:${customerId}`, sequence: version, storeId, customerId, data };
    await tx.query(sql.prepared('tell-of-card', none)`
      with counted as (update card set version = ${version} where store_id = ${storeId} and customer_id = ${customerId})
      insert into outbox (${outboxColumns}) values (${outboxValues(event, publication)})`);
  };
  if (version === 0) await next(customerSeen, { customer_id: customerId, store_id: storeId });
  if (!locked.programme) return null;
  const { goal } = locked.programme;
  return {
    ...locked.programme,
    storeId,
    customerId,
    tellStamp: (event, data) => next(event, { ...data, store_id: storeId, customer_id: customerId, goal }),
    tellVoucher: (event, data) => next(event, { ...data, store_id: storeId, customer_id: customerId }),
    tellMultiStamp: (data) => next(multiStampConfirmed, { ...data, store_id: storeId, customer_id: customerId, goal }),
  };
}

/** How a card stands: stamps that count toward the next reward, less what is owed and never below nothing, and what is owed. */
export const Standing = z.object({ stampCount: z.number(), debt: z.number() });
export type Standing = z.output<typeof Standing>;

type OfCard = Pick<Card, 'storeId' | 'customerId'>;

/** Selects a {@link Standing}; `more` are stamps made by the same statement, which it does not see yet. */
export const selectStanding = ({ storeId, customerId }: OfCard, more = sql.fragment`0`) => sql.fragment`
  select greatest(0, ${more} - c.debt + (
      select count(*) from stamp s
      where s.store_id = c.store_id and s.customer_id = c.customer_id and s.status = 'approved' and s.voucher_id is null and not s.paid_debt
    ))::int as "stampCount", c.debt
  from card c where c.store_id = ${storeId} and c.customer_id = ${customerId}`;

/** Reads how a locked card stands. */
export const standingOf = async (tx: Transaction, card: OfCard): Promise<Standing> =>
  await tx.one(sql.prepared('card-standing', Standing)`${selectStanding(card)}`);

/** Tells of stamps that count from now on, each with the count it made. */
export async function tellApproved(
  card: Card,
  stampIds: readonly string[],
  of: { readonly source: string; readonly order_id: string | null },
  reached: number,
): Promise<void> {
  for (const [index, stamp_id] of stampIds.entries()) {
    await card.tellStamp(stampApproved, { ...of, stamp_id, stamp_count: Math.max(0, reached - (stampIds.length - 1 - index)) });
  }
}

export interface Minted {
  readonly id: string;
  readonly code: string;
}

/**
 * Pays debts from new stamps, then mints a voucher for each goal that is reached, from the oldest stamps; what is over stays.
 * Answers the vouchers and the stamps left.
 */
export async function settleCard(
  tx: Transaction,
  card: Card,
  { stampCount, debt }: Standing,
  at: Date,
  newId: () => string,
): Promise<{ readonly minted: readonly Minted[]; readonly stampCount: number }> {
  if (debt > 0) await payDebt(tx, card);
  const minted: Minted[] = [];
  let left = stampCount;
  for (; left >= card.goal; left -= card.goal) {
    const voucher = { id: newId(), code: voucherCode(randomInt) };
    await mint(tx, card, voucher, at);
    minted.push(voucher);
  }
  return { minted, stampCount: left };
}

async function payDebt(tx: Transaction, { storeId, customerId }: Card): Promise<void> {
  await tx.query(sql.prepared('pay-debt', none)`
    with paying as (
      update stamp set paid_debt = true where id in (
        select id from stamp
        where store_id = ${storeId} and customer_id = ${customerId} and status = 'approved' and voucher_id is null and not paid_debt
        order by created_at, id limit (select debt from card where store_id = ${storeId} and customer_id = ${customerId})
      ) returning 1
    )
    update card set debt = debt - (select count(*) from paying) where store_id = ${storeId} and customer_id = ${customerId}`);
}

/** The voucher lasts to the end of its last day in the store's own zone. */
async function mint(tx: Transaction, card: Card, { id, code }: Minted, at: Date): Promise<void> {
  await tx.query(sql.prepared('mint-voucher', none)`
    with oldest as (
      select id, created_at from stamp
      where store_id = ${card.storeId} and customer_id = ${card.customerId} and status = 'approved' and voucher_id is null and not paid_debt
      order by created_at, id limit ${card.goal}
    ),
    minted as (
      insert into voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, minted_at, completed_by, expires_at)
      select ${id}, p.store_id, ${card.customerId}, ${code}, p.reward_title, p.voucher_type, p.reward, 'active', ${at.toISOString()},
        (select o.id from oldest o order by o.created_at desc, o.id desc limit 1),
        (date_trunc('day', ${at.toISOString()}::timestamptz at time zone s.time_zone) + make_interval(days => p.voucher_days + 1) - interval '1 second') at time zone s.time_zone
      from programme p join store s on s.id = p.store_id where p.store_id = ${card.storeId}
      returning id
    )
    update stamp set voucher_id = (select id from minted) where id in (select id from oldest)`);
  await card.tellVoucher(voucherMinted, { voucher_id: id, reward_title: card.reward_title, code_tail: code.slice(-4), order_id: null });
}
