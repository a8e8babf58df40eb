import { type PreferenceToggle, preferenceToggles } from '@corner/contracts';

/** Every preference of a customer at a store, by its public name. */
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

export const maxMarketingAsks = 2;
