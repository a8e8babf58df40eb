import { expect, test } from '@jest/globals';
import { codePath, readTables, shopAddress } from './posters.ts';

test('the address of a shop names its code, and that of a table the table as the pages of the shop read it', () => {
  expect(shopAddress('https://shop.example', 'S1')).toBe('https://shop.example/s/S1');
  const terrace = new URL(shopAddress('https://shop.example', 'S1', 'Terrace & 2'));
  expect([terrace.pathname, terrace.searchParams.get('table')]).toEqual(['/s/S1', 'Terrace & 2']);
});

test('tables are typed as names and ranges, each once', () => {
  expect(readTables(' 1-3, 3; Bar  2\n9–10 ')).toEqual({ tables: ['1', '2', '3', 'Bar 2', '9', '10'] });
  expect(readTables(' , ')).toEqual({ tables: [] });
});

test('tables that cannot be printed say why and what to write', () => {
  expect(readTables('The long table at the window')).toEqual({ fault: expect.stringMatching(/window.*16 characters at most/) });
  expect(readTables('12-1')).toEqual({ fault: expect.stringContaining('write 1-12') });
  expect(readTables('1-999999')).toEqual({ fault: expect.stringContaining('200 tables at a time') });
  expect(readTables('1-150, 200-300')).toEqual({ fault: expect.stringContaining('200 tables at a time') });
});

test('a code has a free edge of four modules, and the three squares by which readers find it', () => {
  const { size, path } = codePath('https://shop.example/s/S1?table=7');
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${x} ${y}`));
  const at = (x: number, y: number) => dark.has(`${x} ${y}`);
  const square = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'];
  const seen = (left: number, top: number) => square.map((row, y) => [...row].map((_, x) => (at(left + x, top + y) ? '#' : '.')).join(''));
  for (const [left, top] of [
    [4, 4],
    [size - 11, 4],
    [4, size - 11],
  ] as const)
    expect(seen(left, top)).toEqual(square);
  expect([...dark].filter((each) => each.split(' ').some((one) => Number(one) < 4 || Number(one) >= size - 4))).toEqual([]);
});
