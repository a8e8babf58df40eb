import { hashOfRow, type QueueLook } from '@corner/contracts/verify-queue';
import { describe, expect, test } from '@jest/globals';
import { memoryStorage } from '../../testing/fake-browser.ts';
import { keepEnd, readEnds, watchQueue } from './watch-queue.ts';

type Row = QueueLook['rows'][number];

async function rowAfter(before: Row | undefined, entry_ref: string): Promise<Row> {
  const number = (before?.number ?? 0) + 1;
  const instant = `2026-05-01T11:00:0${number}.000000Z`;
  const row = { number, entry_ref, kind: 'joined', status: 'waiting', at: instant, place: instant } as const;
  return { ...row, hash: await hashOfRow(before?.hash ?? '0'.repeat(64), row) };
}

/** A queue as the service shows it to `own`; what a test changes in `rows` or `waiting` is what someone changed in the database. */
async function queueOf(own: string, ...others: readonly string[]) {
  const rows: Row[] = [];
  const asked: number[] = [];
  const add = async (name: string) => void rows.push(await rowAfter(rows.at(-1), name));
  for (const name of others) await add(name);
  const places = new Map<string, string>();
  const read = async (after: number): Promise<QueueLook> => {
    asked.push(after);
    const waiting = rows.map(({ entry_ref, place }) => ({ entry_ref, place: places.get(entry_ref) ?? place }));
    waiting.sort((a, b) => (a.place < b.place ? -1 : 1));
    const queue_position = waiting.findIndex(({ entry_ref }) => entry_ref === own) + 1;
    const page = rows.filter(({ number }) => number > after).slice(0, 2);
    return { rows: page, entry_ref: own, queue_position, waiting, head: end() };
  };
  const end = () => ({ number: rows.at(-1)?.number ?? 0, hash: rows.at(-1)?.hash ?? '' });
  return { rows, places, asked, read, end, add };
}

describe('a phone that watches its queue', () => {
  test('reads each row once, page by page, and finds that all fits', async () => {
    const { read, asked, end, add } = await queueOf('b', 'a', 'b', 'c');
    const first = await watchQueue(read, null, [end()]);
    expect(first.verdict).toEqual({ fits: true });
    await add('d');
    const next = await watchQueue(read, first.look, [end()]);
    expect([next.verdict, next.look?.rows.length, asked]).toEqual([{ fits: true }, 4, [0, 2, 3]]);
  });

  test('names the row of one who was put before it though no new row says so, until the queue fits again', async () => {
    const { read, end, places } = await queueOf('b', 'a', 'b', 'c');
    const { look } = await watchQueue(read, null, [end()]);
    places.set('c', '2026-05-01T10:00:00.000000Z');
    const jumped = await watchQueue(read, look, [end()]);
    expect(jumped).toEqual({ look, verdict: { fits: false, row: 3, shown: 3, byRule: 2 } });
    places.clear();
    expect((await watchQueue(read, jumped.look, [end()])).verdict).toEqual({ fits: true });
  });

  test('names the row that was written anew after the phone had kept the end, also after a reload', async () => {
    const { read, end, rows, add } = await queueOf('b', 'a', 'b', 'c');
    const storage = memoryStorage();
    keepEnd(storage, 'entry', end(), 0);
    rows.splice(1);
    for (const name of ['x', 'b', 'c']) await add(name);
    const reloaded = await watchQueue(read, null, [...readEnds(storage, 'entry', 1), end()]);
    expect(reloaded.verdict).toEqual({ fits: false, row: 3, shown: 3, byRule: 3 });
    expect((await watchQueue(read, null, [end()])).verdict).toEqual({ fits: true });
  });

  test('says so without a row when one waits who never joined', async () => {
    const { read, end } = await queueOf('b', 'a', 'b');
    const withOne = async (after: number) => {
      const look = await read(after);
      return { ...look, waiting: [...look.waiting, { entry_ref: 'x', place: '2026-05-01T11:00:09.000000Z' }] };
    };
    expect((await watchQueue(withOne, null, [end()])).verdict).toEqual({ fits: false, row: null, shown: 2, byRule: 2 });
  });
});

test('an end is kept for each of the last four places, and compared as long as the service returns its rows', () => {
  const storage = memoryStorage();
  for (const [n, entry] of ['a', 'b', 'c', 'd', 'e', 'e'].entries()) keepEnd(storage, entry, { number: n, hash: 'f' }, n);
  expect(['a', 'b', 'e'].map((entry) => readEnds(storage, entry, 9).map(({ number }) => number))).toEqual([[], [1], [5]]);
  expect(readEnds(storage, 'e', 23 * 3_600_000 + 5)).toEqual([]);
});
