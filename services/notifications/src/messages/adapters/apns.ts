import { parseJson } from '@corner/chassis';
import { importPKCS8, SignJWT } from 'jose';
import { Agent, type Dispatcher, request } from 'undici';
import { type AppleDevices, keptBecause, watchAppleDevices } from '../../adapters/apple-devices.ts';
import { networkErrorCode, parseRetryAfter } from '../../adapters/responses.ts';
import type { DeliveryOutcome } from '../rules/delivery.ts';
import { type Channel, type Delivery, timeoutMs } from './channel.ts';

/** `key` is PKCS #8 in PEM. `authority`: certificates to trust instead of the system's, in PEM. */
export interface ApnsSettings {
  readonly key: string;
  readonly keyId: string;
  readonly teamId: string;
  readonly topic: string;
  readonly address: string;
  readonly authority: string | null;
}

/** Minutes a provider token is used: Apple wants a new one after 20 to 60. */
const tokenMinutes = 40;

export function openApns(settings: ApnsSettings, now: () => Date): Channel {
  const { address, topic, authority } = settings;
  const agent = new Agent({ allowH2: true, connect: { timeout: timeoutMs, ...(authority ? { ca: authority } : {}) } });
  const token = cacheProviderToken(settings, now);
  const devices = watchAppleDevices();
  return {
    server: `https://${address}`,
    async deliver(delivery) {
      try {
        const response = await request(`https://${address}/3/device/${encodeURIComponent(delivery.to)}`, {
          method: 'POST',
          headers: {
            authorization: `bearer ${await token()}`,
            'content-type': 'application/json',
            'apns-id': delivery.id,
            'apns-topic': topic,
            'apns-push-type': 'alert',
            'apns-priority': '10',
            'apns-collapse-id': delivery.collapseKey,
            // 0 would mean a single attempt. Apple stores a message for 30 days at most.
            'apns-expiration': String(Math.floor((delivery.expiresAt?.getTime() ?? now().getTime() + 30 * 86_400_000) / 1000)),
          },
          body: JSON.stringify(payloadOf(delivery)),
          signal: AbortSignal.timeout(timeoutMs),
          dispatcher: agent,
        });
        return await outcomeOf(response, delivery.to, devices, now());
      } catch (error) {
        return { status: 'deferred', reason: `apns ${networkErrorCode(error)}`, retryAfterSeconds: 0 };
      }
    },
    close: () => agent.close(),
  };
}

const payloadOf = ({ id, title, body }: Delivery) => ({ aps: { alert: { title, body }, sound: 'default' }, message_id: id });

function cacheProviderToken({ key, keyId, teamId }: ApnsSettings, now: () => Date): () => Promise<string> {
  let cached: { readonly token: Promise<string>; readonly until: number } | null = null;
  return async () => {
    const at = now().getTime();
    if (!cached || cached.until <= at) {
      const signed = importPKCS8(key, 'ES256').then((imported) =>
        new SignJWT()
          .setProtectedHeader({ alg: 'ES256', kid: keyId })
          .setIssuer(teamId)
          .setIssuedAt(Math.floor(at / 1000))
          .sign(imported),
      );
      cached = { token: signed, until: at + tokenMinutes * 60_000 };
    }
    return await cached.token;
  };
}

async function outcomeOf(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  to: string,
  devices: AppleDevices,
  now: Date,
): Promise<DeliveryOutcome> {
  const text = await body.text();
  if (status === 200) {
    devices.accepted();
    return { status: 'delivered' };
  }
  const retryAfter = headers['retry-after']?.toString() ?? null;
  const code = errorCodeIn(text);
  const reason = `apns ${status}${code ? ` ${code}` : ''}`;
  const judged = devices.judge(to, status, code);
  if (judged === 'gone') return { status: 'gone', reason };
  if (judged === 'kept') return { status: 'deferred', reason: `${reason} ${keptBecause}`, retryAfterSeconds: 0 };
  if (status === 400 || status === 404 || status === 405 || status === 413) return { status: 'rejected', reason };
  return { status: 'deferred', reason, retryAfterSeconds: parseRetryAfter(retryAfter, now) };
}

function errorCodeIn(text: string): string | null {
  const reason = (parseJson(text) as { reason?: unknown } | null)?.reason;
  return typeof reason === 'string' && /^\w{1,40}$/.test(reason) ? reason : null;
}
