import { addDays, weekdayOf } from '@corner/page-kit/logic/zones';

export interface Holiday {
  readonly name: string;
  readonly date: string;
}

const date = (year: number, month: number, day: number): string => new Date(Date.UTC(year, month - 1, day, 12)).toISOString().slice(0, 10);
const mondayFrom = (day: string): string => addDays(day, (8 - weekdayOf(day)) % 7);
const lastMonday = (year: number, month: number): string => mondayFrom(date(year, month + 1, 1 - 7));

function easter(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return date(year, Math.floor(f / 31), (f % 31) + 1);
}

/** A holiday on a weekend is kept on the next Monday that is not a holiday itself. */
const substitute = (day: string, taken: readonly string[] = []): string => {
  const kept = weekdayOf(day) > 5 ? mondayFrom(day) : day;
  return taken.includes(kept) ? addDays(kept, 1) : kept;
};

function ofEngland(year: number): Holiday[] {
  const christmas = substitute(date(year, 12, 25));
  return [
    { name: 'New Year’s Day', date: substitute(date(year, 1, 1)) },
    { name: 'Good Friday', date: addDays(easter(year), -2) },
    { name: 'Easter Monday', date: addDays(easter(year), 1) },
    { name: 'Early May bank holiday', date: mondayFrom(date(year, 5, 1)) },
    { name: 'Spring bank holiday', date: lastMonday(year, 5) },
    { name: 'Summer bank holiday', date: lastMonday(year, 8) },
    { name: 'Christmas Day', date: christmas },
    { name: 'Boxing Day', date: substitute(date(year, 12, 26), [christmas]) },
  ];
}

const ofFrance = (year: number): Holiday[] => [
  { name: 'Jour de l’An', date: date(year, 1, 1) },
  { name: 'Lundi de Pâques', date: addDays(easter(year), 1) },
  { name: 'Fête du Travail', date: date(year, 5, 1) },
  { name: 'Victoire de 1945', date: date(year, 5, 8) },
  { name: 'Ascension', date: addDays(easter(year), 39) },
  { name: 'Lundi de Pentecôte', date: addDays(easter(year), 50) },
  { name: 'Fête nationale', date: date(year, 7, 14) },
  { name: 'Assomption', date: date(year, 8, 15) },
  { name: 'Toussaint', date: date(year, 11, 1) },
  { name: 'Armistice de 1918', date: date(year, 11, 11) },
  { name: 'Noël', date: date(year, 12, 25) },
];

const calendars: Readonly<Record<string, (year: number) => Holiday[]>> = { 'Europe/London': ofEngland, 'Europe/Paris': ofFrance };

export function holidaysFrom(today: string, zone: string): readonly Holiday[] {
  const year = Number(today.slice(0, 4));
  const until = `${year + 1}${today.slice(4)}`;
  const calendar = calendars[zone] ?? (() => []);
  return [year, year + 1]
    .flatMap(calendar)
    .filter(({ date: day }) => day >= today && day < until)
    .toSorted((a, b) => a.date.localeCompare(b.date));
}
