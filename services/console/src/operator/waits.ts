export const minuteMs = 60_000;
export const minutesShown = 60;

export const minuteOf = (at: Date): number => Math.floor(at.getTime() / minuteMs);

/** A wait lasts from joining until the call, or until the chair for a guest who is not called. */
export function createWaits() {
  const joined = new Map<string, Date>();
  const waited = new Map<number, { seconds: number; guests: number }>();
  return {
    note(type: string, entryId: string, at: Date): void {
      // A guest who signs in while waiting keeps waiting.
      if (!type.startsWith('queue.') || type === 'queue.claimed') return;
      if (type === 'queue.joined') return void joined.set(entryId, at);
      const since = joined.get(entryId);
      joined.delete(entryId);
      if (!since || (type !== 'queue.called' && type !== 'queue.assigned')) return;
      const minute = minuteOf(at);
      const { seconds, guests } = waited.get(minute) ?? { seconds: 0, guests: 0 };
      waited.set(minute, { seconds: seconds + (at.getTime() - since.getTime()) / 1000, guests: guests + 1 });
      for (const old of waited.keys()) if (old <= minute - minutesShown) waited.delete(old);
    },
    /** Average seconds; null when no guest was called in that minute. */
    average(minute: number): number | null {
      const { seconds, guests } = waited.get(minute) ?? { seconds: 0, guests: 0 };
      return guests === 0 ? null : Math.round(seconds / guests);
    },
  };
}
