import { instant } from '../../../logic/format.ts';
import type { Printer } from '../printer-operations.ts';

export const statusWords: Readonly<Record<Printer['status'], string>> = { online: 'prints', away: 'away', error: 'needs help' };

export function faultText({ name, status, detail, last_seen_at, tickets_waiting }: Printer, zone: string | undefined): string | null {
  if (status === 'online') return null;
  const waiting = tickets_waiting === 0 ? '' : ` ${tickets_waiting === 1 ? 'A ticket waits' : `${tickets_waiting} tickets wait`} for it.`;
  if (status === 'error') return `${name}: ${detail ?? 'it cannot print.'}${waiting}`;
  if (last_seen_at === null) return `${name} has not asked for a ticket yet.`;
  return `${name} is away since ${instant(last_seen_at, 'minute', undefined, zone)}.${waiting}`;
}
