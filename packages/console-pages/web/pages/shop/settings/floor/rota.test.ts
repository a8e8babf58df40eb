import { expect, test } from '@jest/globals';
import { rotaOf } from './rota.ts';

test('each day of the week has the shifts and breaks of a chair, the earliest first', () => {
  const week = rotaOf({
    id: 'one',
    name: 'Chair 1',
    weekly_shifts: [
      { days: [6], from: '18:00', to: '01:00' },
      { days: [1, 6], from: '09:00', to: '13:00' },
      { days: [1], from: '', to: '17:00' },
    ],
    weekly_breaks: [{ days: [1], from: '11:00', to: '11:15' }],
  });
  expect(week.map(({ shifts }) => shifts.join())).toEqual(['09:00–13:00', '', '', '', '', '09:00–13:00,18:00–01:00 the day after', '']);
  expect(week.map(({ breaks }) => breaks.join())).toEqual(['11:00–11:15', '', '', '', '', '', '']);
});
