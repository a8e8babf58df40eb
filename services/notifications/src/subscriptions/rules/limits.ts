/**
 * Limits on requests in a minute: events to a webhook, events to a host over all stores, and challenges to a host, which has agreed to none
 * yet. Further events wait for the next minute. A host is counted without its port, since the same machine serves all ports.
 */
export const eventsOfWebhookInMinute = 1_200;
export const eventsOfHostInMinute = 60_000;

export const challengesOfHostInMinute = 10;

export const nextMinute = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000 + 1) * 60_000);

export const hostOf = (url: string): string => new URL(url).hostname;

/** True for the challenge alone as text, or as the field `challenge` of a JSON object. */
export function confirms({ status, detail }: { readonly status: number | null; readonly detail: string }, challenge: string): boolean {
  if (status === null || status < 200 || status > 299) return false;
  if (detail.trim() === challenge) return true;
  try {
    return (JSON.parse(detail) as { readonly challenge?: unknown } | null)?.challenge === challenge;
  } catch {
    return false;
  }
}
