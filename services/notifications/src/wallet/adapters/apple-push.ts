import { Agent, request } from 'undici';
import { keptBecause, watchAppleDevices } from '../../adapters/apple-devices.ts';

export interface ApplePushSettings {
  readonly address: string;
  readonly authority: string | null;
  /** In PEM. Pushes of passes use the pass type's certificate and key, not an app's token. */
  readonly certificate: string;
  readonly intermediate: string;
  readonly key: string;
  readonly keyPassphrase: string | null;
  readonly topic: string;
}

export interface ApplePush {
  /** Makes a device fetch its changed passes. Returns `gone` for a device that no longer exists, an error when it may succeed later. */
  push(pushToken: string): Promise<'pushed' | 'gone' | Error>;
  close(): Promise<void>;
}

const timeoutMs = 10_000;

/** Pushes of passes over HTTP/2. A push has no content: the device fetches the changes from the web service. */
export function openApplePush({ address, authority, certificate, intermediate, key, keyPassphrase, topic }: ApplePushSettings): ApplePush {
  const dispatcher = new Agent({
    allowH2: true,
    connect: {
      cert: `${certificate}\n${intermediate}`,
      key,
      timeout: timeoutMs,
      ...(keyPassphrase === null ? {} : { passphrase: keyPassphrase }),
      ...(authority === null ? {} : { ca: authority }),
    },
  });
  const devices = watchAppleDevices();
  return {
    async push(pushToken) {
      try {
        const { statusCode, body } = await request(`https://${address}/3/device/${pushToken}`, {
          method: 'POST',
          headers: { 'apns-topic': topic, 'content-type': 'application/json' },
          body: '{}',
          dispatcher,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const reason = /"reason"\s*:\s*"(\w{1,40})"/.exec(await body.text())?.[1] ?? '';
        if (statusCode === 200) {
          devices.accepted();
          return 'pushed';
        }
        const judged = devices.judge(pushToken, statusCode, reason);
        if (judged === 'gone') return 'gone';
        return new Error(`APNs returned ${statusCode} ${reason} ${judged === 'kept' ? keptBecause : ''}`.trim());
      } catch (error) {
        // The original error may quote the address, which contains the device's token.
        return new Error(`APNs could not be reached: ${(error as { code?: string }).code ?? (error as Error).name}`);
      }
    },
    close: () => dispatcher.close(),
  };
}
