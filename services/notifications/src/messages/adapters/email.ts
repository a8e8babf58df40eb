import { createTransport } from 'nodemailer';
import { networkErrorCode } from '../../adapters/responses.ts';
import type { DeliveryOutcome } from '../rules/delivery.ts';
import { headerText, type Mail } from '../rules/mail.ts';
import { type EmailChannel, timeoutMs } from './channel.ts';

/**
 * `url` is `smtp://` or `smtps://`, with user and password if the server requires them. `from` is the platform's sender, as `name
 * <address>` or an address. `dkim` signs every mail (RFC 6376); null where the mail server does.
 */
export interface EmailSettings {
  readonly url: string;
  readonly from: string;
  readonly dkim: { readonly domain: string; readonly selector: string; readonly key: string } | null;
}

/** The headers that are signed where a mail has them. RFC 8058 requires the two that stop messages. */
const signedHeaders =
  'from:reply-to:to:subject:date:message-id:mime-version:content-type:content-transfer-encoding:content-language:auto-submitted:' +
  'list-unsubscribe:list-unsubscribe-post';

/** The sender has the store's name. The Message-ID holds the message's id, so a mail program shows a repeat once. */
export function openEmail({ url, from, dkim }: EmailSettings): EmailChannel {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    maxRequeues: 0,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...(dkim
      ? { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.key, headerFieldNames: signedHeaders } }
      : {}),
  });
  const [, name = '', address = from] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  const domain = address.split('@')[1] ?? 'localhost';
  return {
    server: url,
    async deliver({ id, to, mail }) {
      try {
        await transport.sendMail({
          from: { name: headerText(mail.senderName ?? name), address },
          to: { name: '', address: to },
          ...(mail.replyTo ? { replyTo: { name: '', address: mail.replyTo } } : {}),
          subject: headerText(mail.subject),
          text: mail.text,
          html: mail.html,
          messageId: `<${id}@${domain}>`,
          headers: headersOf(mail),
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

const headersOf = ({ language, unsubscribeUrl }: Mail): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  'Content-Language': language,
  ...(unsubscribeUrl ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
});

/** A reply of 500 or above is final (RFC 5321, 4.2.1), except a failed login: the operator can correct that. */
function outcomeOf(error: unknown): DeliveryOutcome {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  const reason = `smtp ${responseCode ?? networkErrorCode(error)}`;
  const final = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH';
  return final ? { status: 'rejected', reason } : { status: 'deferred', reason, retryAfterSeconds: 0 };
}
