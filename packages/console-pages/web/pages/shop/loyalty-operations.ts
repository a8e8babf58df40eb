import type * as contracts from '@corner/contracts';
import type { z } from 'zod';
import { query, send } from './send.ts';

export type Stamp = z.output<typeof contracts.PendingStamp>;
export type CustomerReply = z.output<typeof contracts.loyalty.customerState.reply>;

/** Approves or rejects a stamp. `result.success` is false when the quota of the plan prevented an approval. */
export const resolveStamp = (store_id: string, stamp_id: string, action: 'approve' | 'reject') =>
  send<{ result: { success?: boolean; error?: string; message?: string; voucher_created?: boolean } | null }>({
    of: stamp_id,
    path: '/api/v1/loyalty/pending-stamps/resolve',
    body: { store_id, stamp_id, action },
  });

export const grantStamp = (store_id: string, customer_id: string) =>
  send<{ current_stamps: number; goal: number; voucher_earned: boolean }>({
    of: customer_id,
    path: '/api/v1/loyalty/stamps',
    body: { store_id, customer_id },
    keyField: 'idempotency_key',
  });

export const undoStamp = (store_id: string, customer_id: string, stamp_id: string) =>
  send<{ undone: boolean; current_stamps: number }>({
    of: customer_id,
    path: '/api/v1/loyalty/stamps/undo',
    body: { store_id, customer_id, stamp_id },
  });

export const redeemVoucher = (store_id: string, customer_id: string, voucher_id: string, key: string) =>
  send<{ redemption_code: string; reward_title: string | null }>({
    of: voucher_id,
    path: '/api/v1/loyalty/redemptions',
    body: { store_id, customer_id, voucher_id },
    key,
  });

export const stampsPath = (store_id: string, status: 'pending' | 'approved'): string =>
  `/api/v1/loyalty/pending-stamps?${query({ store_id, status })}`;
export type StampsReply = { readonly stamps: readonly Stamp[] };

export const customerPath = (store_id: string, customer_id: string): string =>
  `/api/v1/loyalty/customer-state?${query({ store_id, customer_id })}`;

export const loyaltyLogPath = (store_id: string, limit: number): string => `/api/v1/loyalty/log?${query({ store_id, limit })}`;
export type LoyaltyLog = z.output<typeof contracts.loyalty.listLoyaltyLog.reply>;

/** Redeems the voucher with a code that a customer reads out or shows. */
export const redeemByCode = (store_id: string, code: string, key: string) =>
  send<RedeemedByCode>({ of: store_id, path: '/api/v1/loyalty/redemptions/by-code', body: { store_id, code }, key });
export type RedeemedByCode = z.output<typeof contracts.loyalty.redeemVoucherByCode.reply>;

/** The path that finds people who have been at the store. Each request of it is on record. */
export const findCustomersPath = (store_id: string, q: string): string => `/api/v1/loyalty/customers?${query({ store_id, q })}`;
export type FoundCustomers = z.output<typeof contracts.loyalty.findCustomers.reply>;
export type FoundCustomer = FoundCustomers['customers'][number];
