/**
 * `unknown`: neither menu nor times have arrived. `awaited`: the menu says that there are times, which have not arrived. `full`: all of
 * them are taken.
 */
export type LaterTimes = 'unknown' | 'awaited' | 'open' | 'full' | 'none';

/** `slots` is undefined until the times have arrived. An older reply with the menu lacks `hasSlots`: then the times alone decide. */
export function laterTimes(hasSlots: boolean | undefined, slots: readonly unknown[] | undefined): LaterTimes {
  if (slots === undefined) return hasSlots === undefined ? 'unknown' : hasSlots ? 'awaited' : 'none';
  if (slots.length > 0) return 'open';
  return hasSlots ? 'full' : 'none';
}

export const hasRoom = (times: LaterTimes): boolean => times !== 'unknown' && times !== 'none';
