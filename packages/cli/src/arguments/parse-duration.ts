import { InvalidArgumentError } from 'commander';

const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses a duration such as 90s, 15m, 12h or 7d, or a number of seconds. Returns seconds. */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 0);
  if (!(seconds > 0)) throw new InvalidArgumentError('Write a duration such as 90s, 15m or 12h.');
  return seconds;
}
