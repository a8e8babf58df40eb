import { importJWK, SignJWT } from 'jose';
import { type Dispatcher, request } from 'undici';
import webPush from 'web-push';
import { networkErrorCode, parseRetryAfter } from '../../adapters/responses.ts';
import type { DeliveryOutcome } from '../rules/delivery.ts';
import { isAtPushService } from '../rules/push-services.ts';
import { type Delivery, type SubscriptionChannel, type SubscriptionKeys, timeoutMs } from './channel.ts';

export interface WebPushSettings {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly subject: string;
  readonly services: readonly string[];
}

const longestTtlSeconds = 28 * 86_400;

/**
 * Web Push (RFC 8030), encrypted for the browser (RFC 8291). The VAPID keys (RFC 8292) are 65 and 32 bytes in base64url. Push services keep
 * a message for four weeks at most.
 */
export function openWebPush(settings: WebPushSettings, now: () => Date): SubscriptionChannel {
  const authorization = cacheAuthorizations(settings, now);
  return {
    async deliver({ keys, ...delivery }) {
      // A setting may have changed since the device was linked.
      if (!isAtPushService(delivery.to, settings.services)) return { status: 'rejected', reason: 'web-push service not allowed' };
      const body = encrypted(delivery, keys);
      if (!body) return { status: 'gone', reason: 'web-push keys of no browser' };
      try {
        const response = await request(delivery.to, {
          method: 'POST',
          headers: {
            authorization: await authorization(new URL(delivery.to).origin),
            'content-type': 'application/octet-stream',
            'content-encoding': 'aes128gcm',
            ttl: String(ttlOf(delivery, now())),
            urgency: 'high',
            topic: topicOf(delivery),
          },
          body,
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.body.dump();
        return outcomeOf(response, now());
      } catch (error) {
        return { status: 'deferred', reason: `web-push ${networkErrorCode(error)}`, retryAfterSeconds: 0 };
      }
    },
    async close() {},
  };
}

/** A newer message replaces a waiting one with the same topic, of at most 32 characters. On the screen the tag has the same effect. */
const topicOf = ({ collapseKey }: Delivery) => collapseKey.slice(0, 32);

function ttlOf({ expiresAt }: Delivery, now: Date): number {
  const seconds = expiresAt === null ? longestTtlSeconds : Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  return Math.min(Math.max(seconds, 0), longestTtlSeconds);
}

function encrypted(delivery: Delivery, { p256dh, auth }: SubscriptionKeys): Uint8Array<ArrayBuffer> | null {
  const { id, title, body } = delivery;
  const payload = JSON.stringify({ title, body, tag: topicOf(delivery), url: null, message_id: id });
  try {
    return new Uint8Array(webPush.encrypt(p256dh, auth, payload, 'aes128gcm').cipherText);
  } catch {
    return null;
  }
}

/** Seconds a signature is valid: a push service refuses one of more than a day. It is replaced when half of them are over. */
const signatureSeconds = 12 * 3600;

function cacheAuthorizations({ publicKey, privateKey, subject }: WebPushSettings, now: () => Date): (origin: string) => Promise<string> {
  const point = Buffer.from(publicKey, 'base64url');
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const key = importJWK({ kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d: privateKey }, 'ES256');
  const cached = new Map<string, { readonly header: Promise<string>; readonly until: number }>();
  const sign = async (origin: string, at: number) => {
    const token = new SignJWT({ aud: origin, exp: Math.floor(at / 1000) + signatureSeconds, sub: subject });
    return `vapid t=${await token.setProtectedHeader({ typ: 'JWT', alg: 'ES256' }).sign(await key)}, k=${publicKey}`;
  };
  return (origin) => {
    const at = now().getTime();
    const known = cached.get(origin);
    if (known && known.until > at) return known.header;
    const header = sign(origin, at);
    cached.set(origin, { header, until: at + (signatureSeconds * 1000) / 2 });
    return header;
  };
}

function outcomeOf({ statusCode: status, headers }: Dispatcher.ResponseData, now: Date): DeliveryOutcome {
  if (status === 200 || status === 201 || status === 202) return { status: 'delivered' };
  const reason = `web-push ${status}`;
  if (status === 404 || status === 410) return { status: 'gone', reason };
  // A redirection is not followed.
  if (status < 400 || status === 400 || status === 413) return { status: 'rejected', reason };
  return { status: 'deferred', reason, retryAfterSeconds: parseRetryAfter(headers['retry-after']?.toString() ?? null, now) };
}
