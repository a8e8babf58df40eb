/** The hours of the day in which campaigns are written, in the store's time zone. */
const begins = 9;
const ends = 21;

/** Returns whether it is too late, or too early, in a time zone to write to people about news. */
export function isQuiet(now: Date, timeZone: string): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  return hour < begins || hour >= ends;
}

/** Returns when the quiet hours of the day of `now` begin in a time zone. */
export function quietFrom(now: Date, timeZone: string): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return new Date(day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(ends) }).epochMilliseconds);
}

/** From so many customers on, a tenth is left out by lot: of fewer it would say nothing. */
const fewestToHoldOut = 200;

export const holdsOut = (audience: number): boolean => audience >= fewestToHoldOut;

/** Customers whom one run of the job looks at, of all campaigns together: few, so that a receipt waits for no more messages than these. */
export const lookedAtOnce = 100;

/** Days after a message within which a customer who comes is counted as having come back. */
export const resultDays = 14;

export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'one_stamp_to_go' }
  | { readonly kind: 'reward_waiting' }
  | { readonly kind: 'not_seen'; readonly days: number };

export type CampaignState = 'draft' | 'sending' | 'sent' | 'stopped';

/** Returns whether a campaign may be sent or stopped, is so already, or may not be. */
export function checkStep(state: CampaignState, step: 'send' | 'stop'): 'allowed' | 'already-made' | 'refused' {
  if (step === 'send') return state === 'draft' ? 'allowed' : state === 'stopped' ? 'refused' : 'already-made';
  return state === 'stopped' ? 'already-made' : state === 'sent' ? 'refused' : 'allowed';
}
