import type { FoundDeadLetter } from '@corner/nats';
import { maskNullable, maskText } from './mask.ts';

/** A dead letter whose error and reason quote no address and no phone number. */
export const maskedDeadLetter = <D extends Pick<FoundDeadLetter, 'error' | 'settled_reason'>>(deadLetter: D): D => ({
  ...deadLetter,
  error: maskText(deadLetter.error),
  settled_reason: maskNullable(deadLetter.settled_reason),
});
