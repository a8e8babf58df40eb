import { createTransport } from 'nodemailer';
import { type Channel, faultOf, type Outcome, patienceMs } from './channel.ts';

export interface EmailSettings {
  /** `smtp://` or `smtps://`, with user and password when the server asks for them. */
  readonly url: string;
  /** The sender, as `name <address>` or an address. */
  readonly from: string;
}

/** E-mail over SMTP. The errand's id is the Message-ID: a second copy of it is one message to who reads it. */
export function openEmail({ url, from }: EmailSettings): Channel {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 4,
      maxRequeues: 0,
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
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
        return { as: 'delivered' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** Replies of 500 and above are final (RFC 5321, 4.2.1), save that the sender was not let in: that is set right by the operator. */
function outcomeOf(error: unknown): Outcome {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  const reason = `smtp ${responseCode ?? faultOf(error)}`;
  const final = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
  return final ? { as: 'refused', reason } : { as: 'later', reason, afterSeconds: 0 };
}
