/** Events that a webhook is sent in a minute at most, and a host over all stores. More wait for the next minute. */
export const eventsOfWebhookInMinute = 1_200;
export const eventsOfHostInMinute = 60_000;

/** Challenges that a host is sent in a minute at most, over all stores: it has agreed to nothing yet. */
export const challengesOfHostInMinute = 10;

export const nextMinute = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000 + 1) * 60_000);

/** The host that an address is counted under: without its port, which the same machine serves. */
export const hostOf = (url: string): string => new URL(url).hostname;

/** Whether a response shows that its receiver agrees: the value alone as text, or as the field `challenge` of a JSON object. */
export function confirms({ status, detail }: { readonly status: number | null; readonly detail: string }, challenge: string): boolean {
  if (status === null || status < 200 || status > 299) return false;
  if (detail.trim() === challenge) return true;
  try {
    return (JSON.parse(detail) as { readonly challenge?: unknown } | null)?.challenge === challenge;
  } catch {
    return false;
  }
}
