/**
 * What is known of the times that a customer may choose in place of as soon as possible. `unknown`: neither menu nor times say anything yet.
 * `awaited`: the menu says that there are times, which are not here yet. `full`: all of them are taken.
 */
export type LaterTimes = 'unknown' | 'awaited' | 'open' | 'full' | 'none';

/**
 * Returns what is known of the times of a store. An older reply with the menu does not say whether the store has slots: then the times alone
 * decide.
 *
 * @param slots undefined until they have arrived
 */
export function laterTimes(hasSlots: boolean | undefined, slots: readonly unknown[] | undefined): LaterTimes {
  if (slots === undefined) return hasSlots === undefined ? 'unknown' : hasSlots ? 'awaited' : 'none';
  if (slots.length > 0) return 'open';
  return hasSlots ? 'full' : 'none';
}

/** Whether the choice of a time has its room: from the first painting where the menu says that there are times. */
export const hasRoom = (times: LaterTimes): boolean => times !== 'unknown' && times !== 'none';
