import { createHash, timingSafeEqual } from 'node:crypto';
import type { Deliver } from './inbox.ts';
import type { MessageFaults } from './message-faults.ts';
import { type Reply, unavailableFor } from './send-reply.ts';

interface TwilioOptions {
  readonly accountSid: string;
  readonly authToken: string;
  readonly from: string;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
  readonly phones: { find(sid: string): TwilioMessage | undefined; all(): readonly TwilioMessage[] };
  readonly now: () => Date;
}

export interface TwilioRequest {
  readonly method: string;
  readonly account: string;
  readonly sid: string | null;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: string;
}

const refusedNumbers: ReadonlyMap<string, Refused> = new Map([
  ['+15005550001', { code: 21211, message: "The 'To' number +15005550001 is not a valid phone number." }],
  ['+15005550002', { code: 21612, message: 'The message From/To pair violates a route that is not available.' }],
  ['+15005550003', { code: 21408, message: 'Permission to send an SMS has not been enabled for the region of the number.' }],
  ['+15005550004', { code: 21610, message: 'Attempt to send to unsubscribed recipient.' }],
  ['+15005550009', { code: 21614, message: "'To' number is not a valid mobile number." }],
]);

const longestText = 1_600;
const kept = 1_000;

/**
 * Takes the same request twice as two texts, without an idempotency key. A text is `queued` in the reply and `delivered` when read again.
 */
export function createTwilioEndpoint({ accountSid, authToken, from, faults, deliver, phones, now }: TwilioOptions) {
  let messages: readonly TwilioMessage[] = [];
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;

  function send(form: URLSearchParams): Reply {
    const [to, text] = [form.get('To') ?? '', form.get('Body') ?? ''];
    const fault = faults.take('twilio', to);
    if (fault?.how === 'unavailable') return unavailableFor(fault, refusal(503, 20503, 'Service unavailable.'));
    if (fault?.how === 'too_many') return unavailableFor(fault, refusal(429, 20429, 'Too Many Requests'));
    if (fault?.how === 'hang_up') return 'lost';
    const refused = fault?.how === 'refused' ? refusedNumbers.get('+15005550004') : refusalOf({ to, text, from: form.get('From') }, from);
    if (refused) return refusal(400, refused.code, refused.message);
    const { n } = deliver({
      channel: 'sms',
      by: 'twilio',
      to,
      from,
      title: '',
      text,
      html: null,
      data: {},
      collapseKey: null,
      headers: {},
    });
    const message = messageOf(accountSid, { sid: `SM${n.toString(16).padStart(32, '0')}`, to, from, body: text, at: now() });
    messages = [message, ...messages].slice(0, kept);
    return fault?.how === 'hang_up_after' ? 'lost' : { status: 201, body: message };
  }

  const seen = (message: TwilioMessage) => ({ ...message, status: 'delivered', date_sent: message.date_created });

  return function handle({ method, account, sid, query, authorization, body }: TwilioRequest): Reply {
    if (!isEqual(authorization ?? '', expected)) return refusal(401, 20003, 'Authenticate');
    if (account !== accountSid || (method !== 'GET' && method !== 'POST') || (method === 'POST' && sid)) return notFound();
    if (method === 'POST') return send(new URLSearchParams(body));
    const fault = faults.take('twilio-list', query.get('To') ?? '');
    if (fault) return fault.how.startsWith('hang_up') ? 'lost' : refusal(503, 20503, 'Service unavailable.');
    if (sid) {
      const message = messages.find((one) => one.sid === sid);
      const found = message ? seen(message) : phones.find(sid);
      return found ? { status: 200, body: found } : notFound();
    }
    const to = query.get('To');
    const size = Math.min(Number(query.get('PageSize') ?? 50), 1_000);
    const all = [...phones.all(), ...messages.map(seen)].sort(
      (one, other) => Date.parse(other.date_created) - Date.parse(one.date_created),
    );
    const found = all.filter((message) => to === null || message.to === to).slice(0, size);
    return { status: 200, body: { messages: found, page: 0, page_size: size, next_page_uri: null } };
  };
}

interface Refused {
  readonly code: number;
  readonly message: string;
}

function refusalOf({ to, text, from }: { to: string; text: string; from: string | null }, own: string): Refused | undefined {
  if (to === '') return { code: 21604, message: "A 'To' phone number is required." };
  if (from === null) return { code: 21603, message: "A 'From' phone number is required." };
  if (from !== own) return { code: 21606, message: "The 'From' phone number is not a valid, SMS-capable number of your account." };
  if (text === '') return { code: 21602, message: 'Message body is required.' };
  if (text.length > longestText) return { code: 21617, message: 'The concatenated message body exceeds the 1600 character limit.' };
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return { code: 21211, message: "The 'To' number is not a valid phone number." };
  return refusedNumbers.get(to);
}

export type TwilioMessage = ReturnType<typeof messageOf>;

export const messageOf = (
  account_sid: string,
  { sid, to, from, body, at }: { sid: string; to: string; from: string; body: string; at: Date },
) => ({
  sid,
  account_sid,
  to,
  from,
  body,
  status: 'queued',
  direction: 'outbound-api',
  error_code: null,
  error_message: null,
  num_segments: String(Math.ceil(body.length / 153) || 1),
  date_created: at.toUTCString().replace('GMT', '+0000'),
  date_sent: null as string | null,
  uri: `/2010-04-01/Accounts/${account_sid}/Messages/${sid}.json`,
});

const refusal = (status: number, code: number, message: string): Exclude<Reply, 'lost'> => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});
const notFound = (): Reply => refusal(404, 20404, 'The requested resource was not found');

const isEqual = (one: string, other: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};
