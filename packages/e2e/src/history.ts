import { appendFileSync } from 'node:fs';

/** One call and what is known of it: `ok` was answered, `refused` was answered no, `unknown` may or may not have happened. */
export interface Recorded {
  readonly at: string;
  readonly operation: string;
  readonly key: string;
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly status: number | null;
  readonly answer: unknown;
}

/** Everything that was asked and answered in a run, in order, kept in memory and, given a file, as JSON lines. */
export interface History {
  readonly calls: readonly Recorded[];
  add(call: Recorded): void;
}

export function openHistory(file?: string): History {
  const calls: Recorded[] = [];
  return {
    calls,
    add(call) {
      calls.push(call);
      if (file) appendFileSync(file, `${JSON.stringify(call)}\n`);
    },
  };
}
