import { type Call, RpcUnavailable } from '@corner/chassis';
import { Problem, queueGuest } from '@corner/contracts';
import type { Context } from '../../context.ts';
import type { Delivery } from '../adapters/channel.ts';
import type { DeliveryOutcome } from '../rules/settlement.ts';
import type { PendingMessage } from '../tables/pending-messages.ts';

/**
 * Sends a message as a text to the phone number in the directory, else to the one that was given for the entry of the queue. Returns null
 * when there is neither, or SMS is not set up. Without a reply of the queue the delivery is deferred.
 */
export async function sendSms(
  content: () => Omit<Delivery, 'to'>,
  { phone, entry_ref }: PendingMessage,
  { channels, call }: Context,
): Promise<DeliveryOutcome | null> {
  if (!channels.sms) return null;
  try {
    const to = phone ?? (entry_ref === null ? null : await findGuestPhone(call, entry_ref));
    return to === null ? null : await channels.sms.deliver({ ...content(), to });
  } catch (error) {
    if (error instanceof RpcUnavailable) return { status: 'deferred', reason: 'queue unavailable', retryAfterSeconds: 0 };
    throw error;
  }
}

/** Null when no number was given for the entry, or the entry has ended. The number is used for one attempt and stored nowhere. */
async function findGuestPhone(call: Call, entryRef: string): Promise<string | null> {
  try {
    return (await call(queueGuest, { entry_ref: entryRef })).phone;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
