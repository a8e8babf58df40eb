import { isTransient, type Operation } from '@corner/chassis';
import { type loyalty, type OfflineResult, Problem, type ProblemCode, type ReplyOf, type SentReceipt } from '@corner/contracts';
import type { z } from 'zod';
import { keptDays, keptSince } from '../card/rules.ts';
import { findStore } from '../card/tables/directory.ts';
import { ReceiptTaken } from '../card/tables/stamps.ts';
import type { Context } from '../context.ts';
import { keyedHash, stampCodeHash } from './crypto.ts';
import { deviceUseSince, readStampCode, receiptSource, tapTime } from './rules.ts';
import { deleteCodes, deleteDeviceUses } from './tables.ts';
import { mintStampCode } from './transactions/mint-stamp-code.ts';
import { type RedeemedCode, redeemStampCode as redeem } from './transactions/redeem-stamp-code.ts';
import { type Receipt, type SyncedReceipt, syncReceipt } from './transactions/sync-receipt.ts';
import { verifyTap } from './transactions/verify-tap.ts';

export const generateStampCode: Operation<typeof loyalty.generateStampCode, Context> = async (
  { body, caller, idempotencyKey },
  context,
) => {
  const { codeSecret } = context;
  const customerId = caller.type === 'customer' ? caller.id : null;
  const keyHash = idempotencyKey ? keyedHash(codeSecret, 'key', `${customerId}\n${idempotencyKey}`) : null;
  return await context.database.transaction(async (tx) => {
    const store = await findStore(tx, body.store_id);
    if (!store) throw new Problem('STORE_NOT_FOUND');
    if (!store.enabled) throw new Problem('LOYALTY_DISABLED');
    const request = {
      requester: { storeId: body.store_id, customerId, keyHash },
      claimedSource: body.source,
      tap: await verifyTap(tx, store, body, context.nfcKeys),
      device: body.device_info ? keyedHash(codeSecret, 'device', body.device_info) : null,
      ttlSeconds: body.ttl_seconds,
    };
    const { code, expiresAtMs, presenceVerified, replayed } = await mintStampCode(tx, request, codeSecret);
    return {
      code,
      full_message: `STAMP-${code}`,
      store_code: store.code,
      store_name: store.name,
      expires_at: new Date(expiresAtMs).toISOString(),
      message: `Show this code at ${store.name}, or redeem it there, before it expires.`,
      expires_in_seconds: Math.max(0, Math.ceil((expiresAtMs - tx.now.getTime()) / 1_000)),
      presence_verified: presenceVerified,
      deduplicated: replayed,
    };
  });
};

/** A caller who is not signed in gets the fact that a voucher was earned, but not its code. */
export const redeemStampCode: Operation<typeof loyalty.redeemStampCode, Context> = async ({ body, caller }, { database, codeSecret }) => {
  const typed = readStampCode(body.code);
  const customerId = caller.type === 'customer' ? caller.id : null;
  const request = {
    codeHash: typed === null ? null : stampCodeHash(codeSecret, typed),
    expectedStoreId: body.expected_store_id,
    customerId,
    device: body.device_info ? keyedHash(codeSecret, 'device', body.device_info) : null,
  };
  const redeemed = await database.transaction((tx) => redeem(tx, request));
  return responseOf(redeemed, { showVoucher: customerId !== null });
};

function responseOf(redeemed: RedeemedCode, { showVoucher }: { readonly showVoucher: boolean }): ReplyOf<typeof loyalty.redeemStampCode> {
  const { code, stampId, approved, reason, stampCount, goal, voucher, replayed } = redeemed;
  return {
    stamp_id: stampId,
    store_id: code.store_id,
    store_code: code.store_code,
    store_name: code.store_name,
    approval_reason: reason,
    stamp_status: approved ? 'approved' : 'pending',
    counts_now: approved,
    current_stamps: stampCount,
    goal,
    voucher_earned: voucher !== null,
    voucher_id: showVoucher ? (voucher?.id ?? null) : null,
    voucher_code: showVoucher ? (voucher?.code ?? null) : null,
    already_redeemed: replayed,
    message: messageOf(redeemed),
  };
}

function messageOf({ approved, voucher, replayed }: RedeemedCode): string {
  if (replayed) return 'This code has already been redeemed.';
  if (!approved) return 'The store will review your stamp before it counts.';
  return voucher ? 'Your stamp counts, and your reward is ready.' : 'Your stamp counts.';
}

type ReadReceipt = NonNullable<z.output<typeof SentReceipt>['receipt']>;

type Result = z.input<typeof OfflineResult>;

/** Each receipt has a transaction of its own and a result at its own place: one that is refused or fails does not affect the others. */
export const syncOfflineStamps: Operation<typeof loyalty.syncOfflineStamps, Context> = async ({ body, caller }, context) => {
  const results: Result[] = [];
  for (const { receipt, fault } of body.stamps) {
    results.push(receipt ? await resultOfSent(receipt, caller.id, context) : misshapen(fault));
  }
  return { results };
};

async function resultOfSent(sent: ReadReceipt, customerId: string, context: Context): Promise<Result> {
  const receipt = await readReceipt(sent, customerId, context);
  return typeof receipt === 'string' ? refusal(sent.receipt_id ?? '', receipt) : await resultOf(receipt, context);
}

const misshapen = ({ receiptId, message }: { readonly receiptId: string; readonly message: string }): Result => ({
  ...refusal(receiptId, 'invalid_receipt'),
  message,
});

async function readReceipt(sent: ReadReceipt, customerId: string, { database, now }: Context): Promise<Receipt | keyof typeof messages> {
  const { receipt_id: receiptId, store_code: storeCode } = sent;
  if (!receiptId || !storeCode) return 'missing_fields';
  const store = await findStore(database, storeCode);
  if (!store) return 'store_not_found';
  const tappedAt = tapTime(sent.tap_timestamp, now());
  if (typeof tappedAt === 'string') return tappedAt;
  return { ...sent, receiptId, customerId, storeId: store.id, source: receiptSource(sent.source), tappedAt };
}

async function resultOf(receipt: Receipt, context: Context): Promise<Result> {
  try {
    return success(receipt.receiptId, await syncOnce(receipt, context));
  } catch (error) {
    const fault = error instanceof Problem ? faults[error.code] : undefined;
    if (fault) return refusal(receipt.receiptId, fault);
    // An erased customer's token fails the whole batch. After a transient fault the client sends the batch again; a bug must not hold back
    // the other receipts for ever.
    if (error instanceof Problem && error.code === 'UNAUTHENTICATED') throw error;
    if (isTransient(error)) throw error;
    context.log.error({ err: error }, 'a receipt could not be synced');
    return refusal(receipt.receiptId, 'internal_error');
  }
}

/** Syncs a receipt. When the same receipt is synced at another store at the same time, a second attempt finds that stamp. */
async function syncOnce(receipt: Receipt, { database, nfcKeys }: Context): Promise<SyncedReceipt> {
  const sync = () => database.transaction((tx) => syncReceipt(tx, receipt, nfcKeys));
  return await sync().catch((error: unknown) => {
    if (error instanceof ReceiptTaken) return sync();
    throw error;
  });
}

const faults: Partial<Record<ProblemCode, keyof typeof messages>> = {
  LOYALTY_DISABLED: 'loyalty_disabled',
  DAILY_LIMIT_REACHED: 'daily_limit',
  MONTHLY_LIMIT_REACHED: 'monthly_limit',
};

const messages = {
  invalid_receipt: 'The receipt has a wrong shape.',
  missing_fields: 'A receipt needs receipt_id and store_code.',
  store_not_found: 'There is no such store.',
  invalid_timestamp: 'tap_timestamp is not an ISO 8601 instant.',
  receipt_too_old: 'The tap is more than seven days old.',
  receipt_in_future: 'The tap is in the future: set the phone’s clock.',
  loyalty_disabled: 'The store runs no loyalty programme.',
  daily_limit: 'No more stamps for the day of the tap.',
  monthly_limit: 'The store’s plan has no stamps left this month.',
  internal_error: 'This receipt failed on our side: sync it again.',
} as const;

const refusal = (receipt_id: string, error: keyof typeof messages): Result => ({
  receipt_id,
  success: false,
  error,
  message: messages[error],
});

function success(receipt_id: string, { replayed, stampId, status, stampCount, goal, voucherCode }: SyncedReceipt): Result {
  return {
    receipt_id,
    success: true,
    stamp_id: stampId,
    // A stamp that was rejected meanwhile has neither status.
    ...(status === 'approved' || status === 'pending' ? { stamp_status: status } : {}),
    current_stamps: stampCount,
    goal,
    voucher_earned: voucherCode !== null,
    ...(voucherCode === null ? {} : { voucher_code: voucherCode }),
    duplicate: replayed,
  };
}

/** Deletes codes that expired more than {@link keptDays} days ago, and the device hashes with them. Their taps stay used. */
export async function dropOldCodes({ database, now }: Context): Promise<void> {
  while ((await deleteCodes(database, keptSince(now()))) === 1_000);
}

export async function dropOldDeviceUses({ database, now }: Context): Promise<void> {
  while ((await deleteDeviceUses(database, deviceUseSince(now()))) === 1_000);
}
