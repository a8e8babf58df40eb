import { type PreferenceToggle, preferenceToggles } from '@corner/contracts';

export type Preferences = Readonly<Record<PreferenceToggle, boolean>>;

export type PreferenceChanges = { readonly [T in keyof Preferences]?: boolean | undefined };

export const defaultPreferences: Preferences = {
  messagesMuted: false,
  classReminders: true,
  classEventsEnabled: true,
  voucherEventsEnabled: true,
  stampEventsEnabled: true,
  membershipEventsEnabled: true,
  penaltyEventsEnabled: true,
  marketingEnabled: false,
};

export const changedPreferences = (previous: Preferences, current: Preferences): Partial<Preferences> =>
  Object.fromEntries(preferenceToggles.filter((toggle) => current[toggle] !== previous[toggle]).map((toggle) => [toggle, current[toggle]]));

export const letsSend = (toggle: keyof Preferences, value: boolean): boolean => value !== (toggle === 'messagesMuted');

/** Returns the sequences at which preferences were last switched on, by name, after changes that an event with this sequence publishes. */
export const switchedOnAfter = (
  before: Readonly<Record<string, number>>,
  changed: Partial<Preferences>,
  sequence: number,
): Readonly<Record<string, number>> => ({
  ...before,
  ...Object.fromEntries(
    preferenceToggles
      .filter((toggle) => changed[toggle] !== undefined && letsSend(toggle, changed[toggle]))
      .map((toggle) => [toggle, sequence]),
  ),
});

export const maxMarketingAsks = 2;
