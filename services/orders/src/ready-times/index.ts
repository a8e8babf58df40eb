export { hourAt, minutesByAhead, type ReadyTimes, readyTimesView } from './rules.ts';
export { ReadyTimesRow } from './tables.ts';
