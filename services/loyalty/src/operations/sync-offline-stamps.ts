import { isTransient, type Operation } from '@corner/chassis';
import { type loyalty, type OfflineResult, Problem, type ProblemCode, type SentReceipt } from '@corner/contracts';
import { UniqueIntegrityConstraintViolationError } from 'slonik';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { receiptSource, tapTime } from '../rules/codes.ts';
import { findStore } from '../tables/stores.ts';
import { type Receipt, type SyncedReceipt, syncReceipt } from '../transactions/sync-receipt.ts';

type ReadReceipt = NonNullable<z.output<typeof SentReceipt>['receipt']>;
type Result = z.input<typeof OfflineResult>;

/**
 * Collects the stamps of offline taps. Each receipt has a transaction of its own and a result at its own place: a receipt that is refused
 * or fails does not affect the others.
 */
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

/** Refuses a receipt of a wrong shape, with the sentence that names its first wrong field. */
const misshapen = ({ receiptId, message }: { readonly receiptId: string; readonly message: string }): Result => ({
  ...refusal(receiptId, 'invalid_receipt'),
  message,
});

/** Finds a receipt's store and reads its time. Returns the reason when it is refused. */
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
    // After a transient fault the client sends the whole batch again. A bug must not hold back the other receipts for ever.
    if (isTransient(error)) throw error;
    context.log.error({ err: error }, 'a receipt could not be synced');
    return refusal(receipt.receiptId, 'internal_error');
  }
}

/** Syncs a receipt. When the same receipt is synced at another store at the same time, a second attempt finds that stamp. */
async function syncOnce(receipt: Receipt, { database, nfcKeys }: Context): Promise<SyncedReceipt> {
  const sync = () => database.transaction((tx) => syncReceipt(tx, receipt, nfcKeys));
  return await sync().catch((error: unknown) => {
    if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'one_stamp_for_a_receipt') return sync();
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
