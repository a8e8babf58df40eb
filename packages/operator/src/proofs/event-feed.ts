import { WebhookPayload } from '@corner/contracts';
import { z } from 'zod';

const Payload = z.string().transform((text, context) => {
  try {
    return WebhookPayload.parse(JSON.parse(text));
  } catch {
    context.addIssue('is no event as a webhook is sent it');
    return z.NEVER;
  }
});

export const EventFeed = z.object({ events: z.array(z.object({ payload: Payload })) });

/** Days as YYYY-MM-DD, both included, in a time zone. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** Returns the condition that an instant is on a day of the range. */
export function isWithin({ from, to, zone }: DayRange): (instant: string) => boolean {
  const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return (instant) => {
    const day = dayOf.format(new Date(instant));
    return day >= from && day <= to;
  };
}
