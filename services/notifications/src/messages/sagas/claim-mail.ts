import type { Context } from '../../context.ts';
import { addressHash, signAddressLink } from '../crypto.ts';
import { type AddressKind, mailLimits, type Withheld } from '../rules/mail-limits.ts';
import type { PendingMessage } from '../tables/leases.ts';
import { type Claimed, claimMails, type MailClaim } from '../tables/mail-limits.ts';

export interface AddressLinks {
  readonly keepUrl: string | null;
  readonly stopUrl: string | null;
}

/** Counts a mail to an address, and returns its links, or the reason not to send it. */
export async function claimMail(
  message: Pick<PendingMessage, 'id' | 'customer_id' | 'contact_id' | 'email_verified'>,
  email: string,
  context: Context,
): Promise<AddressLinks | Withheld> {
  const { webhooks, unsubscribeLinks } = context;
  const address = addressHash(webhooks.key, email);
  const customerId = message.customer_id;
  const result = await claim({ address, kind: kindOf(message), customerId, messageId: message.id }, context);
  if (result === 'refused' || result === 'unconfirmed' || result === 'limit') return result;
  const secret = unsubscribeLinks?.secrets[0];
  const url = (does: 'keep' | 'stop') =>
    secret
      ? `${unsubscribeLinks.baseUrl}/unsubscribe/mail/${signAddressLink({ does, customerId: customerId ?? '', address }, secret)}`
      : null;
  return { keepUrl: result === 'typed' && customerId !== null ? url('keep') : null, stopUrl: url('stop') };
}

interface Asked extends PromiseWithResolvers<Claimed> {
  readonly mail: MailClaim;
}

/** The mails of one lease are counted by one statement; of several to one address, each by its own. */
function claim(mail: MailClaim, context: Context): Promise<Claimed> {
  const waiting = context.mailsToClaim as Asked[];
  const asked = { mail, ...Promise.withResolvers<Claimed>() };
  if (waiting.push(asked) === 1) queueMicrotask(() => void claimAll(waiting.splice(0), context));
  return asked.promise;
}

async function claimAll(all: readonly Asked[], context: Context): Promise<void> {
  const firsts = [...new Map(all.toReversed().map((asked) => [asked.mail.address.toString('hex'), asked])).values()];
  try {
    const mails = firsts.map(({ mail }) => mail);
    const results = await claimMails(context.database, mails, mailLimits, context.now());
    for (const [n, { resolve }] of firsts.entries()) resolve(results[n] as Claimed);
  } catch (error) {
    for (const { reject } of firsts) reject(error);
  }
  const others = all.filter((asked) => !firsts.includes(asked));
  if (others.length > 0) await claimAll(others, context);
}

function kindOf({
  customer_id,
  contact_id,
  email_verified,
}: Pick<PendingMessage, 'customer_id' | 'contact_id' | 'email_verified'>): AddressKind {
  if (contact_id !== null) return 'contact';
  return customer_id !== null && email_verified ? 'own' : 'typed';
}
