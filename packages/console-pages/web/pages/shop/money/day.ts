import type { DayOfMoney } from '@corner/console-api';

export interface Hour {
  readonly hour: number;
  readonly taken: number;
  readonly returned: number;
}

export function hoursOf(entries: DayOfMoney['entries'], timeZone?: string): readonly Hour[] {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', ...(timeZone ? { timeZone } : {}) });
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, taken: 0, returned: 0 }));
  for (const { at, amount } of entries) {
    const of = hours[Number(clock.format(new Date(at)))];
    if (of && amount > 0) of.taken += amount;
    else if (of) of.returned -= amount;
  }
  return hours;
}

export const csvAddress = (storeId: string, date: string): string => `/api/shop/${storeId}/money.csv?date=${encodeURIComponent(date)}`;

export const todayIn = (now: Date, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...(timeZone ? { timeZone } : {}) }).format(now);

export const byDeadline = (disputes: DayOfMoney['disputes']): DayOfMoney['disputes'] =>
  disputes.toSorted((a, b) => (a.respond_by ?? '9').localeCompare(b.respond_by ?? '9'));
