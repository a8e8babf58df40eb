/** Decides when work on a connection begins. Tests replace it, so that a seed orders the transactions of several programs. */
export interface Turns {
  /** Runs `work`, one transaction or one statement, when its turn has come. `by` says for what: log fields, such as `request_id` or `background`. */
  take<T>(work: () => Promise<T>, by: Readonly<Record<string, unknown>>): Promise<T>;
}
