import { type FragmentSqlToken, sql } from 'slonik';

export interface CustomerAt {
  readonly storeId: string;
  readonly customerId: string;
}

/** A customer's card of a programme. A programme has the id of its home store, which is `store_id` in cards, stamps and vouchers. */
export interface CardKey {
  readonly programmeId: string;
  readonly customerId: string;
}

/** The subject of a change, when it decides the card: a stamp, voucher or order stays on its card when its store changes programmes. */
export type CardOf =
  | { readonly programmeId: string }
  | { readonly orderId: string }
  | { readonly voucherId: string }
  | { readonly stampId: string }
  | { readonly visitRef: string };

/** Selects the programme that a store is in now: the one that names it, else that of its own id. */
export const programmeOfSql = (storeId: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`coalesce((select m.programme_id from programme_store m where m.store_id = ${storeId}), ${storeId})`;

export function programmeOfCardSql(storeId: string, of: CardOf | undefined): { readonly by: string; readonly id: FragmentSqlToken } {
  const now = programmeOfSql(sql.fragment`${storeId}::uuid`);
  if (!of) return { by: '', id: now };
  if ('programmeId' in of) return { by: '-of-programme', id: sql.fragment`${of.programmeId}::uuid` };
  if ('orderId' in of)
    return {
      by: '-of-order',
      id: sql.fragment`coalesce((select coalesce(l.programme_id, l.store_id) from order_ledger l where l.order_id = ${of.orderId}), ${now})`,
    };
  if ('voucherId' in of)
    return { by: '-of-voucher', id: sql.fragment`coalesce((select v.store_id from voucher v where v.id = ${of.voucherId}), ${now})` };
  if ('stampId' in of)
    return { by: '-of-stamp', id: sql.fragment`coalesce((select t.store_id from stamp t where t.id = ${of.stampId}), ${now})` };
  return { by: '-of-visit', id: sql.fragment`coalesce((select t.store_id from stamp t where t.visit_ref = ${of.visitRef}), ${now})` };
}
