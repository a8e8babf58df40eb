import { Agent, request } from 'undici';

export interface ApplePushSettings {
  /** `host` or `host:port` of APNs. */
  readonly address: string;
  /** Certificates to trust instead of the well-known ones, in PEM. */
  readonly authority: string | null;
  /** The pass type’s certificate, what issued it, and its key, in PEM: passes are pushed with these, not with an app’s token. */
  readonly certificate: string;
  readonly intermediate: string;
  readonly key: string;
  readonly keyPassphrase: string | null;
  readonly topic: string;
}

export interface ApplePush {
  /** Tells a device to ask after its passes. `gone`: its token is dead for good. An error: it may work later; it never throws. */
  toDevice(pushToken: string): Promise<'told' | 'gone' | Error>;
  close(): Promise<void>;
}

/** Milliseconds APNs may take to answer. */
const patienceMs = 10_000;

/** Pushes of passes, over HTTP/2. They say nothing: the device asks its own questions. */
export function openApplePush({ address, authority, certificate, intermediate, key, keyPassphrase, topic }: ApplePushSettings): ApplePush {
  const dispatcher = new Agent({
    allowH2: true,
    connect: {
      cert: `${certificate}\n${intermediate}`,
      key,
      timeout: patienceMs,
      ...(keyPassphrase === null ? {} : { passphrase: keyPassphrase }),
      ...(authority === null ? {} : { ca: authority }),
    },
  });
  return {
    async toDevice(pushToken) {
      try {
        const { statusCode, body } = await request(`https://${address}/3/device/${pushToken}`, {
          method: 'POST',
          headers: { 'apns-topic': topic, 'content-type': 'application/json' },
          body: '{}',
          dispatcher,
          signal: AbortSignal.timeout(patienceMs),
        });
        const reason = /"reason"\s*:\s*"(\w{1,40})"/.exec(await body.text())?.[1] ?? '';
        if (statusCode === 200) return 'told';
        if (statusCode === 410 || reason === 'BadDeviceToken' || reason === 'DeviceTokenNotForTopic') return 'gone';
        return new Error(`APNs answered ${statusCode} ${reason}`.trim());
      } catch (error) {
        // The error itself may quote the address, and that names the device.
        return new Error(`APNs could not be asked: ${(error as { code?: string }).code ?? (error as Error).name}`);
      }
    },
    close: () => dispatcher.close(),
  };
}
