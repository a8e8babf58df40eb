import { type Transaction, tell } from '@corner/chassis';
import { customerSeen, type EventContract, type StampData, type VoucherData, voucherMinted } from '@corner/contracts';
import { sql } from 'slonik';
import { z } from 'zod';

/** Instants as they are answered. */
export const instant = (column: ReturnType<typeof sql.fragment>) =>
  sql.fragment`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const CardRow = z.object({
  version: z.number(),
  debt: z.number(),
  goal: z.number(),
  enabled: z.boolean(),
  reward_title: z.string(),
  reward_unlock_message: z.string().nullable(),
  voucher_type: z.string(),
  stamps_per_order: z.number(),
  min_spend_pence: z.number(),
  daily_stamp_limit: z.number(),
  monthly_stamp_quota: z.number().nullable(),
  time_zone: z.string(),
});

/** A card locked for a change, with its programme. `tell` numbers what is told of it. */
export interface Card extends z.output<typeof CardRow> {
  readonly storeId: string;
  readonly customerId: string;
  tellStamp(
    event: EventContract<typeof StampData>,
    data: Omit<z.input<typeof StampData>, 'store_id' | 'customer_id' | 'goal'>,
  ): Promise<void>;
  tellVoucher(event: EventContract<typeof VoucherData>, data: Omit<z.input<typeof VoucherData>, 'store_id' | 'customer_id'>): Promise<void>;
}

/** Opens the card when there is none, locks it, and tells of a customer seen for the first time. Null for a store without a programme. */
export async function lockCard(tx: Transaction, storeId: string, customerId: string, at: Date): Promise<Card | null> {
  const { opened } = await tx.one(sql.prepared('open-card', z.object({ opened: z.boolean() }))`
    with fresh as (
      insert into card (store_id, customer_id, created_at) values (${storeId}, ${customerId}, ${at.toISOString()}) on conflict do nothing returning true as yes
    )
    select coalesce((select yes from fresh), false) as opened`);
  const row = await tx.maybeOne(sql.prepared('lock-card', CardRow)`
    select c.version, c.debt, p.goal, p.enabled, p.reward_title, p.reward_unlock_message, p.voucher_type, p.stamps_per_order, p.min_spend_pence,
      p.daily_stamp_limit, p.monthly_stamp_quota, s.time_zone
    from card c join programme p on p.store_id = c.store_id join store s on s.id = c.store_id
    where c.store_id = ${storeId} and c.customer_id = ${customerId}
    for update of c`);
  if (!row) return null;
  let version = row.version;
  const next = async <E extends EventContract>(event: E, data: Parameters<typeof tell<E>>[2]['data']): Promise<void> => {
    version += 1;
    await tx.query(sql.prepared('count-card-change', z.object({}))`
      update card set version = ${version} where store_id = ${storeId} and customer_id = ${customerId}`);
    await tell(tx, event, { aggregateId: `${storeId}:${customerId}`, sequence: version, storeId, customerId, data });
  };
  if (opened) await next(customerSeen, { customer_id: customerId, store_id: storeId });
  return {
    ...row,
    storeId,
    customerId,
    tellStamp: (event, data) => next(event, { ...data, store_id: storeId, customer_id: customerId, goal: row.goal }),
    tellVoucher: (event, data) => next(event, { ...data, store_id: storeId, customer_id: customerId }),
  };
}

/** Stamps that count toward the next reward: approved, not used, less what is owed; never below nothing. */
export async function countStamps(tx: Pick<Transaction, 'oneFirst'>, storeId: string, customerId: string): Promise<number> {
  return await tx.oneFirst(sql.prepared('count-stamps', z.object({ count: z.number() }))`
    select greatest(0, count(*) - (select debt from card where store_id = ${storeId} and customer_id = ${customerId}))::int as count
    from stamp where store_id = ${storeId} and customer_id = ${customerId} and status = 'approved' and voucher_id is null and not paid_debt`);
}

export interface Minted {
  readonly id: string;
  readonly code: string;
}

/** Pays debts from new stamps, then mints a voucher for each goal that is reached, from the oldest stamps; what is over stays. */
export async function settleCard(
  tx: Transaction,
  card: Card,
  at: Date,
  newId: () => string,
  newCode: () => string,
): Promise<readonly Minted[]> {
  if (card.debt > 0) await payDebt(tx, card);
  const minted: Minted[] = [];
  for (let count = await countStamps(tx, card.storeId, card.customerId); count >= card.goal; count -= card.goal) {
    const voucher = { id: newId(), code: newCode() };
    await mint(tx, card, voucher, at);
    minted.push(voucher);
  }
  return minted;
}

async function payDebt(tx: Transaction, card: Card): Promise<void> {
  await tx.query(sql.prepared('pay-debt', z.object({}))`
    with paying as (
      update stamp set paid_debt = true where id in (
        select id from stamp
        where store_id = ${card.storeId} and customer_id = ${card.customerId} and status = 'approved' and voucher_id is null and not paid_debt
        order by created_at, id limit ${card.debt}
      ) returning 1
    )
    update card set debt = debt - (select count(*) from paying) where store_id = ${card.storeId} and customer_id = ${card.customerId}`);
}

/** The voucher lasts to the end of its last day in the store's own zone. */
async function mint(tx: Transaction, card: Card, { id, code }: Minted, at: Date): Promise<void> {
  await tx.query(sql.prepared('mint-voucher', z.object({}))`
    with minted as (
      insert into voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, minted_at, expires_at)
      select ${id}, p.store_id, ${card.customerId}, ${code}, p.reward_title, p.voucher_type, p.reward, 'active', ${at.toISOString()},
        (date_trunc('day', ${at.toISOString()}::timestamptz at time zone s.time_zone) + make_interval(days => p.voucher_days + 1) - interval '1 second') at time zone s.time_zone
      from programme p join store s on s.id = p.store_id where p.store_id = ${card.storeId}
      returning id
    )
    update stamp set voucher_id = (select id from minted) where id in (
      select id from stamp
      where store_id = ${card.storeId} and customer_id = ${card.customerId} and status = 'approved' and voucher_id is null and not paid_debt
      order by created_at, id limit ${card.goal}
    )`);
  await card.tellVoucher(voucherMinted, { voucher_id: id, reward_title: card.reward_title, code_tail: code.slice(-4), order_id: null });
}
