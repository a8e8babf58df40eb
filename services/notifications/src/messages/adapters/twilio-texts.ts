import { Problem } from '@corner/contracts';
import { secretsEqual } from '../../crypto.ts';
import { signTwilioRequest } from '../crypto.ts';
import type { IncomingText } from './channel.ts';

interface TwilioWebhook {
  readonly accountSid: string;
  readonly authToken: string;
  /** As Twilio calls it. */
  readonly address: string;
}

/** Null for a request about something else than a text to this account. Throws WEBHOOK_SIGNATURE_INVALID. */
export function readTwilioText(
  { accountSid, authToken, address }: TwilioWebhook,
  body: Buffer,
  signature: string | undefined,
): IncomingText | null {
  const form = new URLSearchParams(body.toString());
  if (!secretsEqual(signature ?? '', signTwilioRequest(address, form, authToken))) throw new Problem('WEBHOOK_SIGNATURE_INVALID');
  const [id, from] = [form.get('MessageSid') ?? '', form.get('From') ?? ''];
  const isText = form.get('AccountSid') === accountSid && /^[SM]M[0-9a-f]{32}$/.test(id) && from !== '' && form.has('Body');
  return isText ? { id, from, text: form.get('Body') ?? '' } : null;
}
