import { openGoogleAccess, type ServiceAccount } from '../../adapters/google-access.ts';
import { type Channel, type Delivery, faultOf, type Outcome, patienceMs, secondsAsked } from './channel.ts';

export interface FcmSettings {
  readonly account: ServiceAccount;
  /** Base address of the service. */
  readonly apiBase: string;
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging';

/** Push to Android and to browsers, by Firebase Cloud Messaging's HTTP v1 interface. */
export function openFcm({ account, apiBase }: FcmSettings, now: () => Date): Channel {
  const access = openGoogleAccess(account, scope, now);
  const address = `${apiBase.replace(/\/$/, '')}/v1/projects/${account.project_id}/messages:send`;
  return {
    async deliver(delivery) {
      try {
        const token = await access.token();
        const response = await fetch(address, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ message: messageOf(delivery, now()) }),
          signal: AbortSignal.timeout(patienceMs),
        });
        if (response.status === 401) access.forget(token);
        return await outcomeOf(response, now());
      } catch (error) {
        return { as: 'later', reason: `fcm ${faultOf(error)}`, afterSeconds: 0 };
      }
    },
    async close() {},
  };
}

/** FCM knows no key of the sender's; the tag lets a repeat take the place of what is on the screen already. */
function messageOf({ id, to, title, body, collapse, expiresAt }: Delivery, now: Date) {
  const seconds = expiresAt === null ? null : Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));
  return {
    token: to,
    notification: { title, body },
    data: { message_id: id },
    android: {
      priority: 'HIGH',
      collapse_key: collapse,
      ...(seconds === null ? {} : { ttl: `${seconds}s` }),
      notification: { tag: collapse },
    },
    webpush: { headers: { Urgency: 'high', ...(seconds === null ? {} : { TTL: String(seconds) }) }, notification: { tag: collapse } },
  };
}

async function outcomeOf(response: Response, now: Date): Promise<Outcome> {
  const { status } = response;
  const code = status === 200 ? null : errorCodeOf(await response.text());
  if (status === 200) {
    await response.body?.cancel();
    return { as: 'delivered' };
  }
  const reason = `fcm ${status}${code ? ` ${code}` : ''}`;
  if (code === 'UNREGISTERED') return { as: 'gone', reason };
  // What the operator has to set right (401, 403) may work later; so may what is too much or broken over there.
  if (status === 400 || status === 404) return { as: 'refused', reason };
  return { as: 'later', reason, afterSeconds: secondsAsked(response.headers.get('retry-after'), now) };
}

/** FCM's own code of what was wrong, else Google's. */
function errorCodeOf(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: { status?: string; details?: { errorCode?: string }[] } };
    const code = error?.details?.find(({ errorCode }) => errorCode)?.errorCode ?? error?.status;
    return code && /^[A-Z_]{1,40}$/.test(code) ? code : null;
  } catch {
    return null;
  }
}
