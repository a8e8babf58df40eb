/**
 * Decides when work on a connection begins. Tests replace it, so that a seed orders the transactions of several programs. `work` is one
 * transaction or one statement; `by` are its log fields, such as `request_id` or `background`.
 */
export interface Turns {
  take<T>(work: () => Promise<T>, by: Readonly<Record<string, unknown>>): Promise<T>;
}
