/**
 * Throws the reason of a signal that was aborted. It asks for no more than `aborted`, because React Native's signals have neither
 * `throwIfAborted` nor a reason.
 */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw reasonOf(signal);
}

/** The reason of a signal that was aborted. */
export const reasonOf = (signal: AbortSignal): unknown => signal.reason ?? new Error('The call was aborted.');
