import { SlotTemplate } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expandSlots, expandUnit, publishedUntil } from './templates.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const slots = [{ days: everyDay, from: '00:00', to: '04:00', every_minutes: 60, capacity: 4 }];
const idOf = (startsAt: string) => `id of ${startsAt}`;
const dated = (starts_at: string, ends_at: string, more: object = {}) => ({
  id: `dated ${starts_at}`,
  starts_at: iso(starts_at),
  ends_at: iso(ends_at),
  capacity: 1,
  open: true,
  ...more,
});
const iso = (instant: string) => new Date(instant).toISOString();
const calendarOf = (time_zone: string, ...closures: [from: string, to: string][]) => ({
  time_zone,
  closures: closures.map(([starts_at, ends_at]) => ({ starts_at, ends_at })),
});
type Kept = Parameters<typeof expandSlots>[0];
const london = calendarOf('Europe/London');

function startsOn(day: string, kept: Partial<Kept>, calendar = london, now = `${day}T00:00:00Z`): string[] {
  const made = expandSlots({ slots: [], template: slots, ...kept }, calendar, new Date(Date.parse(now) - 86_400_000), idOf);
  return made
    .map(({ starts_at }) => Temporal.Instant.from(starts_at).toZonedDateTimeISO(calendar.time_zone))
    .filter((at) => at.toPlainDate().toString() === day)
    .map((at) => at.toString({ smallestUnit: 'minute', timeZoneName: 'never' }).slice(11));
}

describe('slots of a template', () => {
  test('begin at the same times of the clock on both sides of a change of the clocks', () => {
    expect(startsOn('2026-03-28', {})).toEqual(['00:00+00:00', '01:00+00:00', '02:00+00:00', '03:00+00:00']);
    expect(startsOn('2026-03-30', {})).toEqual(['00:00+01:00', '01:00+01:00', '02:00+01:00', '03:00+01:00']);
  });

  test.each([
    ['skips an hour, once', 'Europe/London', '2026-03-29', ['00:00+00:00', '02:00+01:00', '03:00+01:00']],
    ['shows an hour twice, in the first', 'Europe/London', '2026-10-25', ['00:00+01:00', '01:00+01:00', '02:00+00:00', '03:00+00:00']],
    ['skips half an hour, without an overlap', 'Australia/Lord_Howe', '2026-10-04', ['00:00+10:30', '01:00+10:30', '02:30+11:00']],
    ['skips the hour after midnight', 'Africa/Cairo', '2026-04-24', ['01:00+03:00', '02:00+03:00', '03:00+03:00']],
  ])('in a night that %s', (_, zone, day, starts) => expect(startsOn(day, {}, calendarOf(zone))).toEqual(starts));

  test('of a day that the calendar of a zone skips are not made on another day', () => {
    const friday = [{ days: [5], from: '09:00', to: '11:00', every_minutes: 60, capacity: null }];
    const apia = calendarOf('Pacific/Apia');
    expect(startsOn('2011-12-30', { template: friday }, apia)).toEqual([]);
    expect(startsOn('2011-12-31', { template: friday }, apia)).toEqual([]);
    expect(startsOn('2012-01-06', { template: friday }, apia)).toEqual(['09:00+14:00', '10:00+14:00']);
  });

  test('of a night that began yesterday are there until they have ended', () => {
    const night = [{ days: [5], from: '22:00', to: '02:00', every_minutes: 60, capacity: null }];
    const at = (now: string) => expandSlots({ slots: [], template: night }, london, new Date(now), idOf).map(({ starts_at }) => starts_at);
    expect(at('2026-01-09T23:59:59Z').slice(0, 3)).toEqual(
      ['2026-01-09T23:00:00Z', '2026-01-10T00:00:00Z', '2026-01-10T01:00:00Z'].map(iso),
    );
    expect(at('2026-01-10T01:59:59Z')[0]).toBe(iso('2026-01-10T01:00:00Z'));
    expect(at('2026-01-10T02:00:00Z')[0]).toBe(iso('2026-01-16T22:00:00Z'));
  });

  test('that overlap a closure are left out, and others stay', () => {
    const closed = calendarOf('Europe/London', ['2026-01-10T00:30:00Z', '2026-01-10T02:00:00Z']);
    expect(startsOn('2026-01-10', {}, closed)).toEqual(['02:00+00:00', '03:00+00:00']);
  });

  test('give way to slots with a date that overlap them or have their id, and those stand as they are', () => {
    const party = dated('2026-01-10T00:30:00Z', '2026-01-10T01:30:00Z', { capacity: 0, open: false });
    const moved = dated('2026-02-10T09:00:00Z', '2026-02-10T10:00:00Z', { id: idOf(iso('2026-01-10T03:00:00Z')) });
    const made = expandSlots({ slots: [moved, party], template: slots }, london, new Date('2026-01-10T00:00:00Z'), idOf);
    expect(made.slice(0, 3)).toEqual([
      party,
      expect.objectContaining({ starts_at: iso('2026-01-10T02:00:00Z'), capacity: 4, open: true }),
      expect.objectContaining({ starts_at: iso('2026-01-11T00:00:00Z') }),
    ]);
    expect(made.at(-1)).toEqual(moved);
  });

  test('are not made without a template: slots with a date stand as they are, ended ones too', () => {
    const old = dated('2020-01-10T00:30:00Z', '2020-01-10T01:30:00Z');
    expect(expandSlots({ slots: [old], template: [] }, london, new Date('2026-01-10T00:00:00Z'), idOf)).toEqual([old]);
  });
});

describe('shifts of a week', () => {
  const chair = { id: 'chair', name: 'Chair', service_ids: [], shifts: [], breaks: [], weekly_shifts: [], weekly_breaks: [] };
  const weekly = (days: number[], from: string, to: string) => ({ days, from, to });
  const spans = (...all: [string, string][]) => all.map(([from, to]) => ({ starts_at: iso(from), ends_at: iso(to) }));
  const now = new Date('2026-03-28T12:00:00Z');

  test('are added to those with a date, for fourteen days, nights over midnight and a change of the clocks included', () => {
    const own = spans(['2026-03-28T20:00:00Z', '2026-03-28T21:00:00Z']);
    const { weekly_shifts: _, weekly_breaks: __, ...kept } = chair;
    expect(expandUnit({ ...chair, shifts: own, weekly_shifts: [weekly([6], '22:00', '02:00')] }, london, now)).toEqual({
      ...kept,
      shifts: [...own, ...spans(['2026-03-28T22:00:00Z', '2026-03-29T01:00:00Z'], ['2026-04-04T21:00:00Z', '2026-04-05T01:00:00Z'])],
    });
  });

  test('are cut by closures, those with a date and breaks are not', () => {
    const closed = calendarOf(
      'Europe/London',
      ['2026-03-28T13:00:00Z', '2026-03-28T14:00:00Z'],
      ['2026-04-03T00:00:00Z', '2026-04-05T00:00:00Z'],
    );
    const own = spans(['2026-03-28T13:30:00Z', '2026-03-28T18:00:00Z']);
    const week = { weekly_shifts: [weekly([6], '09:00', '17:00')], weekly_breaks: [weekly([6], '13:15', '13:30')] };
    expect(expandUnit({ ...chair, shifts: own, ...week }, closed, now)).toMatchObject({
      shifts: [...own, ...spans(['2026-03-28T09:00:00Z', '2026-03-28T13:00:00Z'], ['2026-03-28T14:00:00Z', '2026-03-28T17:00:00Z'])],
      breaks: spans(['2026-03-28T13:15:00Z', '2026-03-28T13:30:00Z'], ['2026-04-04T12:15:00Z', '2026-04-04T12:30:00Z']),
    });
  });
});

describe('in every zone, around every change of the clocks', () => {
  const zones = [
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Cairo',
    'America/Nuuk',
    'Asia/Kathmandu',
  ];
  const time = fc
    .integer({ min: 0, max: 287 })
    .map((n) => `${String(Math.floor(n / 12)).padStart(2, '0')}:${String((n % 12) * 5).padStart(2, '0')}`);
  const template = fc
    .array(
      fc.record({
        days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
        from: time,
        to: time,
        every_minutes: fc.constantFrom(5, 15, 20, 45, 60, 90),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((rows) => SlotTemplate.safeParse(rows))
    .filter(({ success }) => success)
    .map(({ data }) => data ?? []);
  const scene = fc
    .record({
      zone: fc.constantFrom(...zones),
      from: fc.date({ min: new Date('2010-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      hours: fc.integer({ min: 0, max: 336 }),
    })
    .map(({ zone, from, hours }) => {
      const start = from.toTemporalInstant().toZonedDateTimeISO(zone);
      const change = start.getTimeZoneTransition('next') ?? start;
      return { zone, now: new Date(change.epochMilliseconds - hours * 3_600_000) };
    });

  const minutesBetween = (a: Temporal.PlainDateTime, b: Temporal.PlainDateTime) => a.until(b).total('minutes');

  /** Returns whether a time of the clock is one of a row's starts, counted from the day before too. Written without the rule's code. */
  const isStart = (wall: Temporal.PlainDateTime, rows: ReturnType<typeof SlotTemplate.parse>) =>
    rows.some((row) =>
      [0, 1].some((back) => {
        const day = wall.toPlainDate().subtract({ days: back });
        const from = day.toPlainDateTime(row.from);
        const to = (row.to > row.from ? day : day.add({ days: 1 })).toPlainDateTime(row.to);
        const after = minutesBetween(from, wall);
        return (
          row.days.includes(day.dayOfWeek) && after >= 0 && after % row.every_minutes === 0 && minutesBetween(wall, to) >= row.every_minutes
        );
      }),
    );

  function isShownStart(instant: string, zone: string, rows: ReturnType<typeof SlotTemplate.parse>): boolean {
    const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
    if (isStart(local.toPlainDateTime(), rows)) return true;
    const change = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
    const skipped = change ? change.offsetNanoseconds - change.subtract({ nanoseconds: 1 }).offsetNanoseconds : 0;
    return skipped > 0 && isStart(local.toPlainDateTime().subtract({ nanoseconds: skipped }), rows);
  }

  test('no two slots overlap, each begins when the clock shows a start of its row, and none lies outside the fourteen days', () => {
    fc.assert(
      fc.property(template, scene, (rows, { zone, now }) => {
        const made = expandSlots({ slots: [], template: rows }, calendarOf(zone), now, idOf);
        const end = Date.parse(Temporal.PlainDate.from(publishedUntil(zone, now)).toZonedDateTime(zone).toInstant().toString());
        const wrong = made.filter(({ id, starts_at, ends_at }, index) => {
          const ahead = Date.parse(ends_at) > now.getTime() && Date.parse(starts_at) < end;
          return id !== idOf(starts_at) || !ahead || (made[index - 1]?.ends_at ?? '') > starts_at || !isShownStart(starts_at, zone, rows);
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('on a day of 24 hours between such days, every start of a row has its slot', () => {
    fc.assert(
      fc.property(template, scene, (rows, { zone, now }) => {
        const made = new Set(
          expandSlots({ slots: [], template: rows }, calendarOf(zone), now, idOf).map(({ starts_at }) => Date.parse(starts_at)),
        );
        const first = now.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate();
        const wrong = [1, 2, 7, 12, 13].flatMap((days) => {
          const day = first.add({ days });
          const isOrdinary = (date: Temporal.PlainDate): boolean => {
            const start = date.toZonedDateTime(zone);
            // A day that the zone skips starts on another one.
            return start.hoursInDay === 24 && start.toPlainDateTime().equals(date.toPlainDateTime('00:00'));
          };
          if (![-1, 0, 1].every((days) => isOrdinary(day.add({ days })))) return [];
          return Array.from({ length: 288 }, (_, n) => day.toPlainDateTime().add({ minutes: n * 5 })).filter(
            (wall) => made.has(wall.toZonedDateTime(zone).epochMilliseconds) !== isStart(wall, rows),
          );
        });
        expect(wrong.map(String)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test('what was published yesterday stays as it was, and a slot that another template makes at the same time has the same id', () => {
    fc.assert(
      fc.property(template, template, scene, fc.integer({ min: 1, max: 72 }), (rows, others, { zone, now }, hours) => {
        const later = new Date(now.getTime() + hours * 3_600_000);
        const at = (kept: typeof rows, time: Date) => expandSlots({ slots: [], template: kept }, calendarOf(zone), time, idOf);
        const end = Temporal.PlainDate.from(publishedUntil(zone, now)).toZonedDateTime(zone).epochMilliseconds;
        const before = at(rows, now).filter(({ ends_at }) => Date.parse(ends_at) > later.getTime());
        expect(at(rows, later).filter(({ starts_at }) => Date.parse(starts_at) < end)).toEqual(before);
        const ids = new Map(before.map(({ id, starts_at }) => [starts_at, id]));
        expect(at(others, later).filter(({ id, starts_at }) => (ids.get(starts_at) ?? id) !== id)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
