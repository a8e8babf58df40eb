import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const books = 'services/orders/src/reports/books.test.ts';
const tips = 'services/orders/src/reports/tip-shares.test.ts';
const queue = 'services/queue/src/operations/queue-chain.test.ts';

/** Each row of the table in docs/proofs.md, with the test that makes the change: its file, and its title or a part of it. */
const attacks: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'the amount of a sale': [books, "'an amount'"],
  'a tender': [books, "'cash becomes a card'"],
  'the drawer of cash': [books, "'the drawer of cash'"],
  'a row that is removed': [books, "'a refund is removed'"],
  'a row that is invented': [books, "'a sale is invented'"],
  'a credit note': [books, "'a credit note'"],
  'a payout': [books, "'a payout'"],
  'the tip of an order': [books, "'a tip'"],
  'two days that are exchanged': [books, "'of two days that a superuser exchanges"],
  'a day that is removed': [books, 'one that is missing between others is a fault'],
  'the weight of a worker': [tips, "'a weight'"],
  'the name of a worker': [tips, "'a name'"],
  'a place that is put before others': [queue, "'the last is put before the first'"],
  'a row of a queue that is removed': [queue, "'a row is removed'"],
  'rows of a queue that change places': [queue, "'rows change places'"],
  'a wait, of its quote': ['services/queue/src/operations/read-waits.test.ts', 'a change of the database makes it another'],
  'a ready time, of its quote': ['services/orders/src/ready-times/ready-times.test.ts', 'the same number from the events'],
  'the evidence of a stamp': ['services/loyalty/src/card/evidence.test.ts', "'a code becomes a tap'"],
  'an event of a webhook that is removed': [
    'services/notifications/src/subscriptions/prove-webhooks.test.ts',
    'an event that was removed is missed',
  ],
};

test('each change that docs/proofs.md says is named is made by a test', () => {
  const [, table = ''] = /superuser +\|[^\n]*\n\|[-| ]+\n([\s\S]*?)\n\n/.exec(read('docs/proofs.md')) ?? [];
  const rows = table.split('\n').map((row) => row.split('|')[1]?.trim());
  expect(rows).toEqual(Object.keys(attacks));
  expect(Object.values(attacks).filter(([file, title]) => !read(file).includes(title))).toEqual([]);
});
