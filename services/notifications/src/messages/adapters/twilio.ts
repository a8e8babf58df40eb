import { parseJson } from '@corner/chassis';
import { z } from 'zod';
import { networkErrorCode, parseRetryAfter } from '../../adapters/responses.ts';
import { smsText } from '../rules/channels.ts';
import type { DeliveryOutcome } from '../rules/delivery.ts';
import { type Delivery, type SmsChannel, timeoutMs } from './channel.ts';
import { readTwilioText } from './twilio-texts.ts';

export interface TwilioSettings {
  readonly accountSid: string;
  readonly authToken: string;
  readonly from: string;
  readonly apiBase: string;
  /** Where Twilio reports texts that people send; null where it is not known. */
  readonly webhook: string | null;
}

export function openTwilio({ accountSid, authToken, from, apiBase, webhook }: TwilioSettings, now: () => Date): SmsChannel {
  const messages = `${apiBase}/2010-04-01/Accounts/${accountSid}/Messages`;
  const address = `${messages}.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const request = (url: string, body?: URLSearchParams) =>
    fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { authorization },
      ...(body ? { body } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    });

  /** Returns whether Twilio has this text already, or the outcome of the query when it failed. */
  async function wasAccepted({ to, createdAt }: Delivery, text: string): Promise<boolean | DeliveryOutcome> {
    const response = await request(`${address}?${new URLSearchParams({ To: to, PageSize: '50' })}`);
    if (response.status !== 200) return await refusalOf(response, now());
    const { messages } = SentMessages.parse(await response.json());
    return messages.some(
      ({ body, status, date_created }) =>
        body === text && !failed.includes(status) && Date.parse(date_created) >= createdAt.getTime() - clockDifferenceMs,
    );
  }

  return {
    server: apiBase,
    async deliver(delivery) {
      const text = smsText(delivery);
      try {
        if (delivery.isRepeat) {
          const accepted = await wasAccepted(delivery, text);
          if (accepted === true) return { status: 'delivered' };
          if (accepted !== false) return accepted;
        }
        const response = await request(address, formOf(delivery, text, from, now()));
        if (response.status !== 200 && response.status !== 201) return await refusalOf(response, now());
        await response.body?.cancel();
        return { status: 'delivered' };
      } catch (error) {
        return { status: 'deferred', reason: `twilio ${networkErrorCode(error)}`, retryAfterSeconds: 0 };
      }
    },
    readText(body, signature) {
      if (webhook === null) throw new Error('a text that someone sent cannot be verified: set PUBLIC_BASE_URL');
      return readTwilioText({ accountSid, authToken, address: webhook }, body, signature);
    },
    async receivedAt(id) {
      try {
        const response = await request(`${messages}/${id}.json`);
        const at = Date.parse(ReceivedMessage.parse(await response.json()).date_created);
        return response.status === 200 && !Number.isNaN(at) ? new Date(at) : null;
      } catch {
        return null;
      }
    },
    async receivedSince(since) {
      // A messaging service has many numbers, which the list cannot be narrowed to.
      const query = new URLSearchParams({ PageSize: '1000', ...(from.startsWith('MG') ? {} : { To: from }) });
      const response = await request(`${address}?${query}`);
      if (response.status !== 200) throw new Error(reasonOf(response.status, await response.text()));
      return ListedMessages.parse(await response.json()).messages.flatMap(({ sid: id, from, body: text, direction, date_created }) => {
        const at = new Date(date_created);
        return direction === 'inbound' && at >= since ? [{ id, from, text, at }] : [];
      });
    },
    async close() {},
  };
}

const ReceivedMessage = z.object({ date_created: z.string() });
const Listed = z.object({ sid: z.string(), from: z.string(), body: z.string(), direction: z.string(), date_created: z.string() });
const ListedMessages = z.object({ messages: z.array(Listed) });
const SentMessages = z.object({ messages: z.array(z.object({ body: z.string(), status: z.string(), date_created: z.string() })) });
const failed: readonly string[] = ['failed', 'undelivered', 'canceled'];
/** Milliseconds that Twilio's clock, which has whole seconds, may be behind ours. A text is valid for 1 second to 4 hours. */
const clockDifferenceMs = 30_000;
const longestValiditySeconds = 14_400;

function formOf({ to, expiresAt }: Delivery, text: string, from: string, now: Date): URLSearchParams {
  const seconds = expiresAt ? Math.ceil((expiresAt.getTime() - now.getTime()) / 1000) : longestValiditySeconds;
  return new URLSearchParams({
    To: to,
    Body: text,
    [from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: from,
    ValidityPeriod: String(Math.min(Math.max(seconds, 1), longestValiditySeconds)),
  });
}

/** The number does not exist, belongs to no mobile phone, or its owner has opted out. */
const goneCodes: readonly unknown[] = [21211, 21610, 21614];

async function refusalOf(response: Response, now: Date): Promise<DeliveryOutcome> {
  const { status } = response;
  const text = await response.text();
  const [code, reason] = [errorCodeIn(text), reasonOf(status, text)];
  if (goneCodes.includes(code)) return { status: 'gone', reason };
  if (status === 400) return { status: 'rejected', reason };
  return { status: 'deferred', reason, retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after'), now) };
}

function reasonOf(status: number, text: string): string {
  const code = errorCodeIn(text);
  return `twilio ${status}${code ? ` ${code}` : ''}`;
}

function errorCodeIn(text: string): number | null {
  const code = (parseJson(text) as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : null;
}
