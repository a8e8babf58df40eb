import { createTransport } from 'nodemailer';
import type { DeliveryOutcome } from '../rules/delivery-outcome.ts';
import { type Channel, networkErrorCode, timeoutMs } from './channel.ts';

export interface EmailSettings {
  /** `smtp://` or `smtps://`, with user and password when the server asks for them. */
  readonly url: string;
  /** The sender, as `name <address>` or an address. */
  readonly from: string;
}

/** Opens e-mail over SMTP. The Message-ID contains the message's id, so a mail program shows a repeat once. */
export function openEmail({ url, from }: EmailSettings): Channel {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 4,
      maxRequeues: 0,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    },
    { from },
  );
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    async deliver({ id, to, title, body }) {
      try {
        await transport.sendMail({
          to: { name: '', address: to },
          subject: title,
          text: `${body}\n`,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { status: 'delivered' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** A reply of 500 or above is final (RFC 5321, 4.2.1), except a failed login: the operator can correct that. */
function outcomeOf(error: unknown): DeliveryOutcome {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  const reason = `smtp ${responseCode ?? networkErrorCode(error)}`;
  const final = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
  return final ? { status: 'rejected', reason } : { status: 'deferred', reason, retryAfterSeconds: 0 };
}
