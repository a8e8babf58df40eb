import { InvalidArgumentError } from 'commander';
import { parseTtl } from '../parse-ttl.ts';

/** An instant a person writes: ISO 8601, `now`, or how long ago, such as 90s, 15m, 12h, 7d. In UTC where no offset is said. */
export function parseInstant(text: string, now: Date = new Date()): string {
  if (text === 'now') return now.toISOString();
  if (/^\d{1,6}[smhd]$/.test(text)) return new Date(now.getTime() - parseTtl(text) * 1000).toISOString();
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const at = iso ? new Date(`${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? 'Z'}`) : null;
  if (!at || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Say a time like 2026-07-14T03:00Z, or how long ago, like 90m or 12h.');
  return at.toISOString();
}
