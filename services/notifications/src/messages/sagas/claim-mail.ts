import type { Context } from '../../context.ts';
import { addressHash, signAddressLink } from '../crypto.ts';
import { type AddressKind, mailLimits, type Withheld } from '../rules/mail-limits.ts';
import type { PendingMessage } from '../tables/leases.ts';
import { claimMail as claim } from '../tables/mail-limits.ts';

/** The links of a mail by which its owner decides about the address. */
export interface AddressLinks {
  /** Confirms an address that was typed; null in any other mail. */
  readonly keepUrl: string | null;
  readonly stopUrl: string | null;
}

/** Counts a mail to an address, and returns the links that belong into it; or why it is not to be sent. */
export async function claimMail(
  message: Pick<PendingMessage, 'id' | 'customer_id' | 'contact_id' | 'email_verified'>,
  email: string,
  { database, now, webhooks, unsubscribeLinks }: Context,
): Promise<AddressLinks | Withheld> {
  const address = addressHash(webhooks.key, email);
  const customerId = message.customer_id;
  const result = await claim(database, {
    address,
    kind: kindOf(message),
    customerId,
    messageId: message.id,
    now: now(),
    limits: mailLimits,
  });
  if (result === 'refused' || result === 'unconfirmed' || result === 'limit') return result;
  const secret = unsubscribeLinks?.secrets[0];
  const url = (does: 'keep' | 'stop') =>
    secret
      ? `${unsubscribeLinks.baseUrl}/unsubscribe/mail/${signAddressLink({ does, customerId: customerId ?? '', address }, secret)}`
      : null;
  return { keepUrl: result === 'typed' && customerId !== null ? url('keep') : null, stopUrl: url('stop') };
}

function kindOf({
  customer_id,
  contact_id,
  email_verified,
}: Pick<PendingMessage, 'customer_id' | 'contact_id' | 'email_verified'>): AddressKind {
  if (contact_id !== null) return 'contact';
  return customer_id !== null && email_verified ? 'own' : 'typed';
}
