import type { PassState } from './pass-state.ts';

/**
 * The HTTP headers of a pass's bundle. Versions that follow each other within a second are dated ahead of the clock, but HTTP does not allow
 * `Last-Modified` in the future. A device with such a version is sent it once more, rather than missing the next one.
 */
export const passHeaders = ({ modifiedAt }: Pick<PassState, 'modifiedAt'>, now: Date): Record<string, string> => ({
  'Content-Type': 'application/vnd.apple.pkpass',
  'Last-Modified': new Date(Math.min(Date.parse(modifiedAt), now.getTime())).toUTCString(),
});
