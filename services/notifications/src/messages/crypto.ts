import { createHmac } from 'node:crypto';
import { secretsEqual } from '../crypto.ts';

/** Returns the hash, 32 bytes, under which an address is counted and refused. It is keyed, so that the table alone names no one. */
export const addressHash = (key: string, email: string): Buffer =>
  createHmac('sha256', key).update(`mail address\n${email.trim().toLowerCase()}`).digest();

/** Returns the hash, 32 bytes, under which a phone number is known. */
export const numberHash = (key: string, number: string): Buffer => createHmac('sha256', key).update(`phone number\n${number}`).digest();

/** Returns the signature of a request of Twilio: over the address that it calls, and each field of the form in the order of their names. */
export function signTwilioRequest(address: string, form: URLSearchParams, authToken: string): string {
  const fields = [...new Set([...form].map(([name, value]) => name + value))].toSorted();
  return createHmac('sha1', authToken)
    .update([address, ...fields].join(''))
    .digest('base64');
}

/**
 * A link in a mail about the mail's address: `keep` confirms it for the customer, `stop` refuses it for all who did not sign in with it.
 * The customer's id is empty in a mail to someone who is not a customer.
 */
export interface AddressLink {
  readonly does: 'keep' | 'stop';
  readonly customerId: string;
  readonly address: Buffer;
}

/** The token proves that its holder got the mail, for one purpose. It never expires. */
export function signAddressLink({ does, customerId, address }: AddressLink, secret: string): string {
  const claim = Buffer.from(`${does}:${customerId}:${address.toString('base64url')}`).toString('base64url');
  return `${claim}.${createHmac('sha256', secret).update(`mail ${claim}`).digest('base64url')}`;
}

export function readAddressLink(token: string, secrets: readonly string[]): AddressLink | null {
  const [does, customerId = '', address = ''] = Buffer.from(token.split('.')[0] ?? '', 'base64url')
    .toString()
    .split(':');
  if (does !== 'keep' && does !== 'stop') return null;
  const link: AddressLink = { does, customerId, address: Buffer.from(address, 'base64url') };
  return secrets.some((secret) => secretsEqual(token, signAddressLink(link, secret))) ? link : null;
}
