import { readFileSync } from 'node:fs';
import type { RunningSystem } from '@corner/sandbox';

/** What the services warned of while they were measured, as `12 × orders: …`, the most frequent first. */
export function complaints(system: RunningSystem): string[] {
  const counts = new Map<string, number>();
  for (const { name, logFile } of Object.values(system.services)) {
    for (const line of readFileSync(logFile, 'utf8').split('\n')) {
      const complaint = complaintIn(line);
      if (complaint) counts.set(`${name}: ${complaint}`, (counts.get(`${name}: ${complaint}`) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([complaint, count]) => `${count} × ${complaint}`);
}

/** The message, and the error's, of a line of warning or worse. */
function complaintIn(line: string): string | null {
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number | string; msg?: string; err?: { message?: string } };
    const serious = typeof level === 'number' ? level >= 40 : ['warn', 'error', 'fatal'].includes(level ?? '');
    return serious ? [msg, err?.message].filter(Boolean).join(': ') : null;
  } catch {
    return null;
  }
}
