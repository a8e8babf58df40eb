import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';

export const checkout = join(import.meta.dirname, '../../..');

export const withDataFolder = (command: Command): Command => command.option('--data <folder>', 'the data folder', `${checkout}/.corner`);

export const dataFolder = ({ data }: { readonly data: string }): string => resolve(data);

const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** Parses 90s, 15m, 12h or 7d, or a number of seconds. Returns seconds. */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 0);
  if (!(seconds > 0)) throw new InvalidArgumentError('Write a duration such as 90s, 15m or 12h.');
  return seconds;
}

/** Parses ISO 8601 (UTC without an offset), `now`, or how long ago, such as 90s, 15m, 12h or 7d. Returns ISO 8601 in UTC. */
export function parseInstant(text: string, now: Date = new Date()): string {
  if (text === 'now') return now.toISOString();
  if (/^\d{1,6}[smhd]$/.test(text)) return new Date(now.getTime() - parseDuration(text) * 1000).toISOString();
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const at = iso ? new Date(`${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? 'Z'}`) : null;
  if (!at || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Write a time such as 2026-07-14T03:00Z, or how long ago, such as 90m or 12h.');
  return at.toISOString();
}
