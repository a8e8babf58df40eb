import { type Dispatcher, request } from 'undici';
import { openGoogleAccess } from '../../adapters/google-access.ts';
import { networkErrorCode, parseRetryAfter } from '../../adapters/responses.ts';
import type { ServiceAccount } from '../../config.ts';
import type { DeliveryOutcome } from '../rules/delivery.ts';
import { type Channel, type Delivery, timeoutMs } from './channel.ts';

export interface FcmSettings {
  readonly account: ServiceAccount;
  readonly apiBase: string;
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging';

export function openFcm({ account, apiBase }: FcmSettings, now: () => Date): Channel {
  const access = openGoogleAccess(account, scope, now);
  const address = `${apiBase.replace(/\/$/, '')}/v1/projects/${account.project_id}/messages:send`;
  return {
    server: apiBase,
    async deliver(delivery) {
      try {
        const token = await access.token();
        const response = await request(address, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ message: messageOf(delivery, now()) }),
          signal: AbortSignal.timeout(timeoutMs),
        });
        if (response.statusCode === 401) access.invalidate(token);
        return await outcomeOf(response, now());
      } catch (error) {
        return { status: 'deferred', reason: `fcm ${networkErrorCode(error)}`, retryAfterSeconds: 0 };
      }
    },
    async close() {},
  };
}

/** FCM has no idempotency key. The tag makes a repeat replace the message that is already on the screen. */
function messageOf({ id, to, title, body, collapseKey, expiresAt }: Delivery, now: Date) {
  const seconds = expiresAt === null ? null : Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));
  return {
    token: to,
    notification: { title, body },
    data: { message_id: id },
    android: {
      priority: 'HIGH',
      collapse_key: collapseKey,
      ...(seconds === null ? {} : { ttl: `${seconds}s` }),
      notification: { tag: collapseKey },
    },
    webpush: { headers: { Urgency: 'high', ...(seconds === null ? {} : { TTL: String(seconds) }) }, notification: { tag: collapseKey } },
  };
}

async function outcomeOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, now: Date): Promise<DeliveryOutcome> {
  // Read to its end for every status: else its connection would be closed.
  const text = await body.text();
  if (status === 200) return { status: 'delivered' };
  const retryAfter = headers['retry-after']?.toString() ?? null;
  const code = errorCodeIn(text);
  const reason = `fcm ${status}${code ? ` ${code}` : ''}`;
  if (code === 'UNREGISTERED') return { status: 'gone', reason };
  if (status === 400 || status === 404) return { status: 'rejected', reason };
  return { status: 'deferred', reason, retryAfterSeconds: parseRetryAfter(retryAfter, now) };
}

function errorCodeIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: { status?: string; details?: { errorCode?: string }[] } };
    const code = error?.details?.find(({ errorCode }) => errorCode)?.errorCode ?? error?.status;
    return code && /^[A-Z_]{1,40}$/.test(code) ? code : null;
  } catch {
    return null;
  }
}
