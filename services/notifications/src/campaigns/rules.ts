const begins = 9;
const ends = 21;

export function isQuiet(now: Date, timeZone: string): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  return hour < begins || hour >= ends;
}

export function quietFrom(now: Date, timeZone: string): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return new Date(day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(ends) }).epochMilliseconds);
}

/** Below this number of people, no tenth is left out of a campaign: a comparison would mean nothing. */
const fewestToHoldOut = 200;

export const holdsOut = (audience: number): boolean => audience >= fewestToHoldOut;

/** Customers that one run of the job examines over all campaigns: few, so that no statement and no provider is busy for long. */
export const lookedAtOnce = 100;

export const resultDays = 14;

export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'one_stamp_to_go' }
  | { readonly kind: 'reward_waiting' }
  | { readonly kind: 'not_seen'; readonly days: number };

export type CampaignState = 'draft' | 'sending' | 'sent' | 'stopped';

export function checkStep(state: CampaignState, step: 'send' | 'stop'): 'allowed' | 'already-made' | 'refused' {
  if (step === 'send') return state === 'draft' ? 'allowed' : state === 'stopped' ? 'refused' : 'already-made';
  return state === 'stopped' ? 'already-made' : state === 'sent' ? 'refused' : 'allowed';
}
