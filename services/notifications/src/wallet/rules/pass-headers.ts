import type { PassState } from './pass-state.ts';

/**
 * The headers of a pass’s bundle. Editions that follow each other within a second are dated ahead of the clock; the date told is
 * never, as HTTP has it, so that a device with such an edition is sent it once more rather than kept from the next.
 */
export const passHeaders = ({ modifiedAt }: Pick<PassState, 'modifiedAt'>, now: Date): Record<string, string> => ({
  'Content-Type': 'application/vnd.apple.pkpass',
  'Last-Modified': new Date(Math.min(Date.parse(modifiedAt), now.getTime())).toUTCString(),
});
