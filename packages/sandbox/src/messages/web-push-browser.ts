import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';

export interface BrowserSubscription {
  readonly endpoint: string;
  readonly expirationTime: null;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

export interface Browser {
  readonly subscription: BrowserSubscription;
  readonly applicationServerKey: string;
  read(body: Buffer): ReturnType<typeof PushedMessage.parse> | null;
}

const PushedMessage = z.object({
  title: z.string(),
  body: z.string(),
  tag: z.string(),
  url: z.string().nullable(),
  message_id: z.string(),
});

export function createBrowsers(address: string) {
  const browsers = new Map<string, Browser>();
  return {
    subscribe(applicationServerKey: string): BrowserSubscription {
      const id = randomUUID();
      const pair = createECDH('prime256v1');
      const p256dh = pair.generateKeys('base64url');
      const auth = randomBytes(16);
      const keys = { p256dh, auth: auth.toString('base64url') };
      const subscription = { endpoint: `${address}/${id}`, expirationTime: null, keys };
      const read = (body: Buffer) => {
        const text = decryptPush(body, pair, auth);
        return text === null ? null : PushedMessage.parse(JSON.parse(text.toString()));
      };
      browsers.set(id, { subscription, applicationServerKey, read });
      return subscription;
    },
    find: (id: string): Browser | undefined => browsers.get(id),
  };
}

export type Browsers = ReturnType<typeof createBrowsers>;

/**
 * Decrypts a push of one record (RFC 8291, in the encoding aes128gcm of RFC 8188): salt, record size, the sender's key, ciphertext. Null
 * when it is not for this browser.
 */
export function decryptPush(body: Buffer, pair: ECDH, auth: Buffer): Buffer | null {
  const salt = body.subarray(0, 16);
  const keyLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  if (keyLength !== 65 || record.length < 18) return null;
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  try {
    const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32));
    const derive = (name: string, length: number) => Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    return end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0) ? padded.subarray(0, end) : null;
  } catch {
    return null;
  }
}
