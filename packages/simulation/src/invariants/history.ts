import { appendFileSync } from 'node:fs';

/**
 * `ok` for a 2xx response, `refused` for any other, `unknown` when none arrived whole. Status is null, and the response an error message,
 * without a complete response.
 */
interface RecordedCall {
  readonly at: string;
  readonly operation: string;
  readonly key: string;
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly status: number | null;
  readonly response: unknown;
}

export interface History {
  readonly calls: readonly RecordedCall[];
  add(call: RecordedCall): void;
}

export function openHistory(file?: string): History {
  const calls: RecordedCall[] = [];
  return {
    calls,
    add(call) {
      calls.push(call);
      if (file) appendFileSync(file, `${JSON.stringify(call)}\n`);
    },
  };
}
