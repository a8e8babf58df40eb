import type { Mutant } from './of-callers.ts';

const orders = 'services/orders/src';
const loyalty = 'services/loyalty/src';
const queue = 'services/queue/src';
const proofs = 'packages/operator/src/proofs';

const books = ['orders/src/reports/books.test'];
const evidence = ['loyalty/src/card/evidence.test'];
const chain = ['queue/src/operations/queue-chain.test'];

/** Faults of the proofs that strangers run: of closed days, of stamps, of queues. */
export const mutantsOfProofs: readonly Mutant[] = [
  {
    name: 'proofs: a day does not name the day before',
    file: `${orders}/reports/transactions.ts`,
    find: 'before: before === null ? null : hashText(before)',
    plant: 'before: before === null ? null : null',
    tests: books,
  },
  {
    name: 'proofs: a payout is in every day from the one on which it arrives',
    file: `${orders}/reports/tables/books.ts`,
    find: 'p.id = any(t.payout_ids))',
    plant: 'false)',
    tests: books,
  },
  {
    name: 'proofs: any signature of a day is accepted',
    file: `${proofs}/verify-books.ts`,
    find: 'return fits ? { kid }',
    plant: 'return fits || signed ? { kid }',
    tests: books,
  },
  {
    name: 'proofs: a day of another proof follows one',
    file: `${proofs}/verify-books.ts`,
    find: 'statement.before !== before.hash || ',
    plant: '',
    tests: books,
  },
  {
    name: 'proofs: the private part of a key is published',
    file: `${orders}/reports/crypto.ts`,
    find: "keys: keys.map((key) => ({ kty: 'OKP',",
    plant: "keys: keys.map((key) => ({ ...key, kty: 'OKP',",
    tests: books,
  },
  {
    name: 'proofs: a stamp of a tap is one of a code',
    file: `${loyalty}/codes-and-taps/transactions/redeem-stamp-code.ts`,
    find: '{ ids: [id], source, reason }',
    plant: '{ ids: [id], source }',
    tests: evidence,
  },
  {
    name: 'proofs: a stamp that was taken back is counted',
    file: `${proofs}/recount-stamps.ts`,
    find: 'counts: false }',
    plant: 'counts: true }',
    tests: evidence,
  },
  {
    name: 'proofs: a change of a queue is hashed without the one before',
    file: `${queue}/tables/log.ts`,
    find: 'sha256(last.hash || convert_to(',
    plant: 'sha256(convert_to(',
    tests: chain,
  },
  {
    name: 'proofs: one may join a queue before others',
    file: `${proofs}/verify-queue.ts`,
    find: 'place > row.place',
    plant: 'place > row.place && false',
    tests: chain,
  },
  {
    name: 'proofs: an end of a queue’s chain that was kept is not looked for',
    file: `${proofs}/verify-queue.ts`,
    find: 'of kept) {',
    plant: 'of kept.slice(0, 0)) {',
    tests: chain,
  },
];
