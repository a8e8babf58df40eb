import { readFileSync } from 'node:fs';

const file = `${import.meta.dirname}/demo-directory.json`;

const writtenFor = Date.UTC(2026, 0, 5);
const dayMs = 86_400_000;
const instant = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g;

/** Shifts the directory by whole days to the day of `now`, so that its slots are open and its chairs are staffed. */
export function demoDirectory(now: Date): unknown {
  const by = Math.floor((now.getTime() - writtenFor) / dayMs) * dayMs;
  const moved = (time: string) => new Date(Date.parse(time) + by).toISOString().replace('.000Z', 'Z');
  return JSON.parse(readFileSync(file, 'utf8').replace(instant, (_, time: string) => `"${moved(time)}"`));
}
