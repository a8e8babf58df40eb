import type { components } from '@corner/client';
import { pathTo, type Reply } from '../../logic/platform.ts';
import { send } from './send.ts';

export type Stamp = components['schemas']['PendingStamp'];
export type CustomerReply = Reply<'GET /api/v1/loyalty/customer-state'>;

export const resolveStamp = (store_id: string, stamp_id: string, action: 'approve' | 'reject') =>
  send('POST /api/v1/loyalty/pending-stamps/resolve', { of: stamp_id, body: { store_id, stamp_id, action } });

export const grantStamp = (store_id: string, customer_id: string) =>
  send('POST /api/v1/loyalty/stamps', { of: customer_id, body: { store_id, customer_id }, keyField: 'idempotency_key' });

export const undoStamp = (store_id: string, customer_id: string, stamp_id: string) =>
  send('POST /api/v1/loyalty/stamps/undo', { of: customer_id, body: { store_id, customer_id, stamp_id } });

export const redeemVoucher = (store_id: string, customer_id: string, voucher_id: string, key: string) =>
  send('POST /api/v1/loyalty/redemptions', { of: voucher_id, body: { store_id, customer_id, voucher_id }, key });

export const stampsPath = (store_id: string, status: 'pending' | 'approved') =>
  pathTo('/api/v1/loyalty/pending-stamps', { store_id, status });

export const customerPath = (store_id: string, customer_id: string) => pathTo('/api/v1/loyalty/customer-state', { store_id, customer_id });

export const loyaltyLogPath = (store_id: string, limit: number) => pathTo('/api/v1/loyalty/log', { store_id, limit });
export type LoyaltyLog = Reply<'GET /api/v1/loyalty/log'>;

export const lookUpVoucher = (store_id: string, code: string) =>
  send('POST /api/v1/loyalty/vouchers/look-up', { of: code, body: { store_id, code } });
export type LookedUpVoucher = Reply<'POST /api/v1/loyalty/vouchers/look-up'>;

export const redeemByCode = (store_id: string, code: string, key: string) =>
  send('POST /api/v1/loyalty/redemptions/by-code', { of: store_id, body: { store_id, code }, key });
export type RedeemedByCode = Reply<'POST /api/v1/loyalty/redemptions/by-code'>;

export const findCustomersPath = (store_id: string, q: string) => pathTo('/api/v1/loyalty/customers', { store_id, q });
export type FoundCustomer = components['schemas']['FoundCustomer'];
