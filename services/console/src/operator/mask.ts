import type { FoundDeadLetter } from '@corner/operator';

const email = /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/**
 * International, or with a leading zero: at least eight digits, in groups or not. Ids and times have letters, colons or hyphens next to
 * them.
 */
const phone = /(?<![\w.:-])(?:\+\d[\d ().-]{6,}\d|0\d(?:[ ]?\d){7,})(?![\w:-])/g;

/**
 * Replaces addresses and phone numbers in a text that should hold none: an error that quotes its input, or a reason that a person typed.
 */
export const maskText = (text: string): string => text.replace(email, '[address]').replace(phone, '[phone]');

export const maskNullable = (text: string | null): string | null => (text === null ? null : maskText(text));

export const maskedDeadLetter = <D extends Pick<FoundDeadLetter, 'error' | 'settled_reason'>>(deadLetter: D): D => ({
  ...deadLetter,
  error: maskText(deadLetter.error),
  settled_reason: maskNullable(deadLetter.settled_reason),
});
