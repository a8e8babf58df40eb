import { type ApnsSettings, openApns } from './apns.ts';
import type { Channels } from './channel.ts';
import { type EmailSettings, openEmail } from './email.ts';
import { type FcmSettings, openFcm } from './fcm.ts';

/** What each channel is reached by; null is not set up. */
export interface ChannelSettings {
  readonly email: EmailSettings | null;
  readonly fcm: FcmSettings | null;
  readonly apns: ApnsSettings | null;
}

/** Opens the channels that are set up. A device without one of its platform does not count as a way to reach anybody. */
export function openChannels({ email, fcm, apns }: ChannelSettings, now: () => Date): Channels {
  const firebase = fcm && openFcm(fcm, now);
  return {
    ...(email ? { email: openEmail(email) } : {}),
    ...(apns ? { ios: openApns(apns, now) } : {}),
    ...(firebase ? { android: firebase, web: firebase } : {}),
  };
}
