import { columns, NoColumns, type Transaction } from '@corner/chassis';
import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { CardKey } from './programmes.ts';

export const Voucher = z.object({ id: z.string(), code: z.string(), reward_title: z.string().nullable() });
export const voucherColumns = columns(Voucher);

export type Voucher = z.output<typeof Voucher>;

/** Mints a voucher from a locked card's oldest unused stamps. */
export async function insertVoucher(
  tx: Transaction,
  { programmeId, customerId, goal }: CardKey & { readonly goal: number },
  { id, code }: { readonly id: string; readonly code: string },
): Promise<void> {
  await tx.query(sql.prepared('mint-voucher', NoColumns)`
    with oldest as (
      select id, created_at from stamp
      where store_id = ${programmeId} and customer_id = ${customerId} and status = 'approved' and voucher_id is null and not paid_debt
      order by created_at, id limit ${goal}
    ), minted as (${vouchersMintedSql(
      sql.fragment`(
        select ${id}::uuid as id, ${programmeId}::uuid as store_id, ${customerId}::uuid as customer_id, ${code} as code,
          (select id from oldest order by created_at desc, id desc limit 1) as completing_stamp_id)`,
      tx.now.toISOString(),
    )})
    update stamp set voucher_id = (select id from minted) where id = any(array(select id from oldest))`);
}

/**
 * Inserts vouchers and returns their ids. `wanted` selects `id`, `store_id`, `customer_id`, `code`, `completing_stamp_id`; `store_id` is
 * the programme. A voucher lasts to the end of its last day in the time zone of the programme's home. `now` is ISO 8601.
 */
export const vouchersMintedSql = (wanted: FragmentSqlToken, now: string): FragmentSqlToken => sql.fragment`
  insert into voucher (id, store_id, customer_id, code, reward_title, voucher_type, reward, status, minted_at, completing_stamp_id,
    expires_at, expiry_notice_at)
  select w.id, w.store_id, w.customer_id, w.code, p.reward_title, p.voucher_type, p.reward, 'active', ${now}, w.completing_stamp_id,
    last.moment, case when p.voucher_expiring_days between 1 and p.voucher_days - 1
      then last.moment - make_interval(days => p.voucher_expiring_days) end
  from ${wanted} w
  join programme p on p.store_id = w.store_id
  join store s on s.id = p.store_id
  cross join lateral (
    select (date_trunc('day', ${now}::timestamptz at time zone s.time_zone) + make_interval(days => p.voucher_days + 1)
      - interval '1 second') at time zone s.time_zone as moment) last
  returning id`;

/** Pays as much of a card's debt as its unused stamps can, the oldest first. The card is locked. */
export async function payDebt(tx: Transaction, { programmeId, customerId }: CardKey): Promise<void> {
  await tx.query(sql.prepared('pay-debt', NoColumns)`
    with paying as (
      update stamp set paid_debt = true where id = any(array(
        select id from stamp
        where store_id = ${programmeId} and customer_id = ${customerId} and status = 'approved' and voucher_id is null and not paid_debt
        order by created_at, id limit (select debt from card where store_id = ${programmeId} and customer_id = ${customerId})
      )) returning 1
    )
    update card set debt = debt - (select count(*) from paying) where store_id = ${programmeId} and customer_id = ${customerId}`);
}

export interface ExpiringVoucher extends Voucher {
  readonly expires_at: string;
}
