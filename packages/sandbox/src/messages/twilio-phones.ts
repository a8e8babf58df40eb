import { createHmac, randomUUID } from 'node:crypto';
import { messageIdentity } from './messages-environment.ts';
import { messageOf, type TwilioMessage } from './twilio-endpoint.ts';

/** `url` is called; `address` is signed, as Twilio's console has it: the same when absent. */
export interface TextWebhook {
  readonly url: string;
  readonly address?: string | undefined;
}

/** `sid` sends an earlier text once more; `lost` keeps one from arriving, until then. */
export interface TextFromPhone {
  readonly from: string;
  readonly text?: string | undefined;
  readonly sid?: string | undefined;
  readonly lost?: boolean | undefined;
}

export interface Phones {
  connect(webhook: TextWebhook): void;
  /** Returns the text's id, and the status of the webhook's reply: null without a webhook, and for a lost text. */
  text(given: TextFromPhone): Promise<{ readonly sid: string; readonly status: number | null }>;
  find(sid: string): TwilioMessage | undefined;
  /** The newest first. */
  all(): readonly TwilioMessage[];
}

const kept = 1_000;

/** The phones of all who get texts: they write to the number of the account. */
export function createPhones(now: () => Date, connected?: TextWebhook): Phones {
  const { twilioAccountSid, twilioAuthToken, twilioFrom: to } = messageIdentity;
  const sent = new Map<string, TwilioMessage>();
  let webhook = connected;

  function write({ from, text = '' }: TextFromPhone): TwilioMessage {
    const sid = `SM${randomUUID().replaceAll('-', '')}`;
    const message = { ...messageOf(twilioAccountSid, { sid, to, from, body: text, at: now() }), direction: 'inbound', status: 'received' };
    sent.set(sid, message);
    for (const oldest of sent.keys()) if (sent.size > kept) sent.delete(oldest);
    return message;
  }

  return {
    connect(to) {
      webhook = to;
    },
    find: (sid) => sent.get(sid),
    all: () => [...sent.values()].reverse(),
    async text(given) {
      const message = given.sid === undefined ? write(given) : sent.get(given.sid);
      if (!message) throw new Error(`no text has the id ${given.sid}`);
      const { sid, from, body } = message;
      if (!webhook || given.lost) return { sid, status: null };
      const { url, address = url } = webhook;
      const form = {
        AccountSid: twilioAccountSid,
        ApiVersion: '2010-04-01',
        Body: body,
        From: from,
        MessageSid: sid,
        NumMedia: '0',
        To: to,
      };
      const signed = address + Object.entries(form).flat().join('');
      const signature = createHmac('sha1', twilioAuthToken).update(signed).digest('base64');
      const headers = { 'X-Twilio-Signature': signature };
      const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
      await response.body?.cancel();
      return { sid, status: response.status };
    },
  };
}
