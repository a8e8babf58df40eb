import { readFileSync } from 'node:fs';
import type { RunningSystem } from '@corner/sandbox/system';

export function warnings(system: RunningSystem): string[] {
  const counts = new Map<string, number>();
  for (const { name, logFile } of Object.values(system.services)) {
    for (const line of readFileSync(logFile, 'utf8').split('\n')) {
      const warning = warningIn(line);
      if (warning) counts.set(`${name}: ${warning}`, (counts.get(`${name}: ${warning}`) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([warning, count]) => `${count} × ${warning}`);
}

interface Line {
  readonly level?: number | string;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
  readonly fault?: string;
}

function warningIn(line: string): string | null {
  try {
    const { level, msg, err, fault } = JSON.parse(line) as Line;
    const serious = typeof level === 'number' ? level >= 40 : ['warn', 'error', 'fatal'].includes(level ?? '');
    return serious ? [msg, err?.message ?? fault].filter(Boolean).join(': ') : null;
  } catch {
    return null;
  }
}
