import { measure } from '@corner/chassis';

const doubtFrom = 3;

export interface AppleDevices {
  accepted(): void;
  judge(token: string, status: number, reason: string | null): 'gone' | 'kept' | null;
}

/**
 * Decides whether a device is gone or our own setting is wrong; one instance for each topic. Apple returns BadDeviceToken and
 * DeviceTokenNotForTopic for a device that is gone, and for every device when the topic or the server is wrong. After three different
 * devices refused in a row the setting is suspected, so that it cannot lose all devices of a platform. A 410 is always final: Apple knows
 * the app was removed.
 *
 * `judge` returns `gone` for a device that no longer gets pushes, `kept` for one that seems refused only because of a setting, and null for
 * any other response. `reason` is Apple's code, null without one.
 */
export function watchAppleDevices(): AppleDevices {
  const refused = new Set<string>();
  return {
    accepted: () => refused.clear(),
    judge(token, status, reason) {
      if (status === 410) return 'gone';
      if (reason !== 'BadDeviceToken' && reason !== 'DeviceTokenNotForTopic') return null;
      if (refused.size < doubtFrom) refused.add(token);
      const kept = refused.size >= doubtFrom;
      measure('corner.apple.devices.refused', 1, { 'corner.outcome': kept ? 'failed' : 'refused' });
      return kept ? 'kept' : 'gone';
    },
  };
}

export const keptBecause = 'of one device after the other';
