import { isTransient, type Operation } from '@corner/chassis';
import { type loyalty, type OfflineResult, Problem, type ProblemCode, type RequestOf } from '@corner/contracts';
import { UniqueIntegrityConstraintViolationError } from 'slonik';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { receiptSource, tapTime } from '../rules/receipt.ts';
import { findStore } from '../tables/stores.ts';
import { type Receipt, type Synced, syncReceipt } from '../tables/sync-receipt.ts';

type Given = RequestOf<typeof loyalty.syncOfflineStamps>['body']['stamps'][number];
type Result = z.input<typeof OfflineResult>;

/**
 * Turns taps made offline into stamps. Each receipt stands for itself, in a transaction of its own, and has its place in the
 * results: what one is refused for, or fails at, touches no other.
 */
export const syncOfflineStamps: Operation<typeof loyalty.syncOfflineStamps, Context> = async ({ body, caller }, context) => {
  const results: Result[] = [];
  for (const given of body.stamps) {
    const receipt = await readReceipt(given, caller.id, context);
    const receipt_id = given.receipt_id ?? '';
    results.push(typeof receipt === 'string' ? refusal(receipt_id, receipt) : await resultOf(receipt, context));
  }
  return { results };
};

/** What a receipt says, or why it is not looked into further. */
async function readReceipt(given: Given, customerId: string, { database, now }: Context): Promise<Receipt | keyof typeof messages> {
  const { receipt_id: receiptId, store_code: named } = given;
  if (!receiptId || !named) return 'missing_fields';
  const store = await findStore(database, named);
  if (!store) return 'store_not_found';
  const tappedAt = tapTime(given.tap_timestamp, now());
  if (typeof tappedAt === 'string') return tappedAt;
  return { ...given, receiptId, customerId, storeId: store.id, source: receiptSource(given.source), tappedAt };
}

async function resultOf(receipt: Receipt, context: Context): Promise<Result> {
  try {
    return answer(receipt.receiptId, await syncOnce(receipt, context));
  } catch (error) {
    const fault = error instanceof Problem ? faults[error.code] : undefined;
    if (fault) return refusal(receipt.receiptId, fault);
    // In a world in trouble the whole batch is asked for again; a fault of ours must not hold the other receipts up for ever.
    if (isTransient(error)) throw error;
    context.log.error({ err: error }, 'a receipt could not be worked through');
    return refusal(receipt.receiptId, 'internal_error');
  }
}

/** The same receipt at two stores at once meets at its key: the second then finds the first's stamp. */
async function syncOnce(receipt: Receipt, { database, nfcKeys, now, newId }: Context): Promise<Synced> {
  const sync = () => database.transaction((tx) => syncReceipt(tx, receipt, nfcKeys, now(), newId));
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

function answer(receipt_id: string, { duplicate, stampId, status, stampCount, goal, minted }: Synced): Result {
  return {
    receipt_id,
    success: true,
    stamp_id: stampId,
    // A stamp that was declined meanwhile is neither.
    ...(status === 'approved' || status === 'pending' ? { stamp_status: status } : {}),
    current_stamps: stampCount,
    goal,
    voucher_earned: minted !== null,
    ...(minted ? { voucher_code: minted.code } : {}),
    duplicate,
  };
}
