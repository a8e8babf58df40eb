import type { Context } from '../context.ts';
import { moveStoreShare } from './sagas.ts';
import { findDueShares } from './tables.ts';

/** Moves the stores' shares of disputed payments that are due: after a crash, or after the provider declined or did not answer. */
export async function moveStoreShares(context: Context): Promise<void> {
  for (const dispute of await findDueShares(context.database, context.now())) {
    try {
      await moveStoreShare(context, dispute);
    } catch (error) {
      context.log.warn({ err: error, dispute_id: dispute.id }, 'the store’s share of a disputed payment is tried again at the next run');
    }
  }
}
