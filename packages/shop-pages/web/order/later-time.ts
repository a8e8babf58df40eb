/**
 * Whether a customer may choose a time instead of as soon as possible. `unknown`: neither menu nor times have arrived. `awaited`: the menu
 * says that there are times, which have not arrived. `full`: all of them are taken.
 */
export type LaterTimes = 'unknown' | 'awaited' | 'open' | 'full' | 'none';

/**
 * Returns whether the store offers times. `slots` is undefined until they have arrived. An older reply with the menu does not say whether
 * the store has slots: then the times alone decide.
 */
export function laterTimes(hasSlots: boolean | undefined, slots: readonly unknown[] | undefined): LaterTimes {
  if (slots === undefined) return hasSlots === undefined ? 'unknown' : hasSlots ? 'awaited' : 'none';
  if (slots.length > 0) return 'open';
  return hasSlots ? 'full' : 'none';
}

/** Whether the choice of a time has its space: from the first painting where the menu says that there are times. */
export const hasRoom = (times: LaterTimes): boolean => times !== 'unknown' && times !== 'none';
