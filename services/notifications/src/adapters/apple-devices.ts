import { measure } from '@corner/chassis';

/** Different devices refused, with none accepted in between, from which on the setting is doubted and not the devices. */
const doubtFrom = 3;

/** Decides whether a device is gone, or a setting of ours fits no device. One for each topic. */
export interface AppleDevices {
  /** A push to a device was accepted: its topic and its server are right. */
  accepted(): void;
  /**
   * Returns `gone` for a device that gets no push any more, `kept` for one that is only refused because of a wrong topic or server, as it
   * seems, and null for a response of another kind. `reason` is Apple's code, null without one.
   */
  judge(token: string, status: number, reason: string | null): 'gone' | 'kept' | null;
}

/**
 * Apple answers BadDeviceToken and DeviceTokenNotForTopic for a device that is gone, and for every device when the topic or the server is
 * wrong. Taken for gone, all devices of a platform would be lost by one setting.
 */
export function watchAppleDevices(): AppleDevices {
  const refused = new Set<string>();
  return {
    accepted: () => refused.clear(),
    judge(token, status, reason) {
      // Apple says so of an app that was on the device, with the time since when.
      if (status === 410) return 'gone';
      if (reason !== 'BadDeviceToken' && reason !== 'DeviceTokenNotForTopic') return null;
      if (refused.size < doubtFrom) refused.add(token);
      const kept = refused.size >= doubtFrom;
      measure('corner.apple.devices.refused', 1, { 'corner.outcome': kept ? 'failed' : 'refused' });
      return kept ? 'kept' : 'gone';
    },
  };
}

/** Said of a device that is kept, in logs. */
export const keptBecause = 'of one device after the other';
