import { type Call, RpcUnavailable } from '@corner/chassis';
import { Problem, readReceipt } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { signUnsubscription } from '../../crypto.ts';
import type { Mail } from '../rules/mail.ts';
import type { DeliveryOutcome } from '../rules/settlement.ts';
import { type Template, type TemplateData, toggleOf } from '../rules/template-data.ts';
import type { PendingMessage } from '../tables/pending-messages.ts';
import { type Receipt, writeMail } from '../texts/write-mail.ts';
import { languages } from '../texts/write-text.ts';

/**
 * Sends a message by e-mail. Returns null when the person has no address, or e-mail is not set up. A receipt waits until orders has returned
 * what was bought: without a reply the delivery is deferred, as it is without a mail server.
 */
export async function sendEmail(message: PendingMessage, context: Context): Promise<DeliveryOutcome | null> {
  const { id, email: to } = message;
  const channel = context.channels.email;
  if (!to || !channel) return null;
  try {
    return await channel.deliver({ id, to, mail: await mailOf(message, context) });
  } catch (error) {
    if (error instanceof RpcUnavailable) return { status: 'deferred', reason: 'orders unavailable', retryAfterSeconds: 0 };
    throw error;
  }
}

async function mailOf(message: PendingMessage, context: Context): Promise<Mail> {
  const { template, store_name: name, time_zone, currency, vat_number: vatNumber, contact_email } = message;
  const unsubscribeUrl = unsubscribeUrlOf(message, context);
  const data = message.data as unknown as TemplateData[Template];
  const receipt = template === 'order.paid' ? await receiptOf(message, context.call) : null;
  // A store writes to its customers. To the store's own people the platform writes.
  const isFromStore = !template.startsWith('store.');
  return {
    ...writeMail(
      languages[message.language],
      { template, data, receipt, vatNumber, unsubscribeUrl },
      { store: { name, time_zone, currency }, now: context.now() },
    ),
    senderName: isFromStore ? name : null,
    replyTo: isFromStore ? contact_email : null,
    unsubscribeUrl,
  };
}

/** Null for an order that orders does not know, and for a message that was stored without the order's id. */
async function receiptOf({ store_id, data }: PendingMessage, call: Call): Promise<Receipt | null> {
  if (typeof data.order_id !== 'string') return null;
  try {
    return await call(readReceipt, { order_id: data.order_id, store_id });
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Null for a message that no preference switches off: it is about the customer's own order or turn. */
function unsubscribeUrlOf({ template, customer_id, store_id }: PendingMessage, { unsubscribeLinks }: Context): string | null {
  const toggle = toggleOf[template];
  const secret = unsubscribeLinks?.secrets[0];
  if (!toggle || !customer_id || !secret) return null;
  return `${unsubscribeLinks.baseUrl}/unsubscribe/${signUnsubscription({ customerId: customer_id, storeId: store_id, toggle }, secret)}`;
}
