import { expect, test } from '@jest/globals';
import { shorten } from './shorten.ts';
import { type Day, dayOf } from './world/steps.ts';

const namesIn = (day: Day) => day.map((round) => round.map(({ name }) => name));

test('of a day that fails only the steps are left that the failure needs', async () => {
  const day = dayOf(1, 12);
  const needed = [day[2]?.[0]?.name, day[7]?.at(-1)?.name];
  const fails = async (shorter: Day) => needed.every((name) => name && namesIn(shorter).flat().includes(name));
  expect(namesIn(await shorten(day, fails))).toEqual(needed.map((name) => [name]));
});

test('a day that fails in no shorter form stays as it is, also when there is no time to look', async () => {
  const day = dayOf(1, 3);
  expect(await shorten(day, async () => false)).toEqual(day);
  expect(
    await shorten(
      day,
      async () => true,
      () => false,
    ),
  ).toEqual(day);
});
