import { type Receipt, readInvitation } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { signUnsubscription } from '../../crypto.ts';
import { type Mail, quotedName } from '../rules/mail.ts';
import type { Withheld } from '../rules/mail-limits.ts';
import { type Template, type TemplateData, toggleOf } from '../rules/template-data.ts';
import type { PendingMessage } from '../tables/leases.ts';
import { writeMail } from '../texts/write-mail.ts';
import { languages } from '../texts/write-text.ts';
import { claimMail } from './claim-mail.ts';

export interface AddressedMail {
  readonly to: string;
  readonly mail: Mail;
}

/**
 * Writes a message as a mail, with the current data of other services, and counts it. Null without an address, for an invitation that is no
 * longer open, and for one without an address of the console; a reason for one that is not to be sent. Throws RpcUnavailable.
 */
export async function mailOf(message: PendingMessage, context: Context): Promise<AddressedMail | Withheld | null> {
  if (message.template === 'staff.invited') return await invitationMail(message, context);
  const { template, store_id, email: to, vat_number: vatNumber } = message;
  if (!to) return null;
  const data = message.data as unknown as TemplateData[Template];
  const hasReceipt = template === 'order.paid' || template === 'order.refunded';
  const receipt = hasReceipt ? await receiptOf(message, context) : null;
  const addressLinks = await claimMail(message, to, context);
  if (typeof addressLinks === 'string') return addressLinks;
  const isForStore = template.startsWith('store.');
  const consoleUrl = isForStore ? context.consoleUrl : null;
  const links = {
    ...addressLinks,
    unsubscribeUrl: unsubscribeUrlOf(message, context),
    settingsUrl: consoleUrl && `${consoleUrl}/shop/${store_id}/settings`,
  };
  return {
    to,
    mail: {
      ...writeMail(
        languages[message.language],
        { ...noLinks, ...links, template, data, receipt, vatNumber },
        textContext(message, context),
      ),
      senderName: isForStore ? null : message.store_name,
      replyTo: isForStore ? null : message.contact_email,
      unsubscribeUrl: links.unsubscribeUrl ?? (links.keepUrl && links.stopUrl),
    },
  };
}

const noLinks = { acceptUrl: null, keepUrl: null, stopUrl: null, unsubscribeUrl: null, settingsUrl: null, receipt: null, vatNumber: null };

/** The platform writes to a store's own people and to an invited person, who may know neither the inviting person nor the store. */
async function invitationMail(message: PendingMessage, context: Context): Promise<AddressedMail | Withheld | null> {
  const { entry_ref, store_id, language } = message;
  if (context.consoleUrl === null || entry_ref === null) {
    context.log.warn({ message_id: message.id }, 'an invitation is not mailed: CONSOLE_URL is not set');
    return null;
  }
  const { invitation } = await context.call(readInvitation, { invitation_id: entry_ref, store_id });
  if (!invitation) return null;
  const { email: to, role, invited_by, expires_at, token, store_name } = invitation;
  const links = await claimMail(message, to, context);
  if (typeof links === 'string') return links;
  const data = { role, invited_by: invited_by && quotedName(invited_by), expires_at };
  const acceptUrl = `${context.consoleUrl}/invitation#${token}`;
  const text = textContext({ ...message, store_name: quotedName(store_name) }, context);
  return {
    to,
    mail: {
      ...writeMail(languages[invitation.language ?? language], { ...noLinks, ...links, template: 'staff.invited', data, acceptUrl }, text),
      senderName: null,
      replyTo: null,
      unsubscribeUrl: links.stopUrl,
    },
  };
}

const textContext = ({ store_name: name, time_zone, currency }: PendingMessage, { now }: Context) => ({
  store: { name, time_zone, currency },
  now: now(),
});

/** Null for an order that orders does not know, and for a message that was stored without the order's id. */
const receiptOf = async ({ store_id, data }: PendingMessage, { readReceipt }: Context): Promise<Receipt | null> =>
  typeof data.order_id === 'string' ? await readReceipt({ order_id: data.order_id, store_id }) : null;

function unsubscribeUrlOf({ template, customer_id, store_id, consent }: PendingMessage, { unsubscribeLinks }: Context): string | null {
  const toggle = toggleOf(template);
  const secret = unsubscribeLinks?.secrets[0];
  if (!toggle || !customer_id || !secret) return null;
  return `${unsubscribeLinks.baseUrl}/unsubscribe/${signUnsubscription({ customerId: customer_id, storeId: store_id, toggle, consent }, secret)}`;
}
