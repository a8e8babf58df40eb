import { readFileSync } from 'node:fs';
import { requiredServices } from '@corner/contracts';
import { onDatabase } from './settled.ts';
import type { TestEnvironment } from './test-environment.ts';

export async function complaintsOf(environment: TestEnvironment): Promise<string> {
  const lines: string[] = [];
  await onDatabase(environment, async (client) => {
    for (const service of requiredServices) {
      const { rows } = await client.query(`select distinct type, error from ${service}.dead_letter where settled_at is null`);
      lines.push(...rows.map(({ type, error }) => `${service} could not handle ${type}: ${error}`));
    }
  });
  for (const service of requiredServices)
    lines.push(...errorsIn(readFileSync(environment.system.services[service].logFile, 'utf8')).map((error) => `${service}: ${error}`));
  return lines.length > 0 ? lines.join('\n') : 'no service says why';
}

interface LogLine {
  readonly level?: unknown;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
}

export function errorsIn(log: string): readonly string[] {
  const errors = log.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return /^\w*Error:/.test(line) ? [line] : [];
    const { msg = '', err } = parsed(line);
    return err?.message ? [`${msg}: ${err.message}`] : [];
  });
  return [...new Set(errors)].slice(-6);
}

function parsed(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}
