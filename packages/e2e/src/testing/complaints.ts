import { readFileSync } from 'node:fs';
import { services } from '@corner/contracts';
import { onDatabase } from './settled.ts';
import type { TestEnvironment } from './test-environment.ts';

/** Returns what the services say went wrong, a line each: the events that one of them could not handle, and the errors in its log. */
export async function complaintsOf(environment: TestEnvironment): Promise<string> {
  const lines: string[] = [];
  await onDatabase(environment, async (client) => {
    for (const service of services) {
      const { rows } = await client.query(`select distinct type, error from ${service}.dead_letter where settled_at is null`);
      lines.push(...rows.map(({ type, error }) => `${service} could not handle ${type}: ${error}`));
    }
  });
  for (const service of services)
    lines.push(...errorsIn(environment.system.services[service].logFile).map((error) => `${service}: ${error}`));
  return lines.length > 0 ? lines.join('\n') : 'no service says why';
}

interface LogLine {
  readonly level?: unknown;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

/** The distinct errors of a log, and what a process printed that is no log line: why it did not start. */
function errorsIn(logFile: string): readonly string[] {
  const errors = readFileSync(logFile, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('{')) {
        const { msg = '', err } = JSON.parse(line) as LogLine;
        return err?.message ? [`${msg}: ${err.message}`] : [];
      }
      return /^\w*Error:/.test(line) ? [line] : [];
    });
  return [...new Set(errors)].slice(-6);
}
