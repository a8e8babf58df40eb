export { todayIn } from './day.ts';
