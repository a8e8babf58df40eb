import type { Mutant } from './of-callers.ts';

const loyalty = 'services/loyalty/src';
const orders = 'services/orders/src';
const chassis = 'packages/chassis/src';

/** A fault in what one service does to another, and the seeds whose histories show it. */
interface Between extends Omit<Mutant, 'tests'> {
  readonly seeds: string;
}

/** Faults that only several services together show. The simulation plays the named seeds with each; `npm run simulate -- --seed 1..200` finds others. */
const between: readonly Between[] = [
  {
    name: 'a voucher that one order has reserved is reserved by another',
    file: `${loyalty}/vouchers/tables.ts`,
    find: "or status = 'reserved' and",
    plant: "or status = 'reserved' or false and",
    seeds: '1..200',
  },
  {
    name: 'a voucher is given back for an order that did not redeem it',
    file: `${loyalty}/orders/tables/reversals.ts`,
    find: 'where redeemed_by_order =',
    plant: 'where redeemed_by_order <>',
    seeds: '1..200',
  },
  {
    name: 'a refund that arrives before the award of its order is forgotten',
    file: `${loyalty}/orders/transactions/award-orders.ts`,
    find: 'const reversed = data.entry?.reversed ?? false;',
    plant: 'const reversed = data.entry === undefined;',
    seeds: '1..200',
  },
  {
    name: 'an order whose award lost its reply is awarded again by its event',
    file: `${loyalty}/orders/transactions/award-orders.ts`,
    find: 'if (task && data.entry?.paid) awards',
    plant: 'if (task && data.entry?.paid && !data) awards',
    seeds: '1..200',
  },
  {
    name: 'a refund that failed leaves the stamps taken back',
    file: `${loyalty}/orders/entry-points.ts`,
    find: 'if (data.was_accepted)',
    plant: 'if (!data.was_accepted)',
    seeds: '1..200',
  },
  {
    name: 'an earlier refund that arrives late counts',
    file: `${loyalty}/orders/tables/reversals.ts`,
    find: 'sql.fragment`excluded.refund_sequence > order_ledger.refund_sequence`',
    plant: 'sql.fragment`excluded.refund_sequence <> order_ledger.refund_sequence`',
    seeds: '1..200',
  },
  {
    name: 'an earlier state of a dispute that arrives late counts',
    file: `${loyalty}/orders/tables/reversals.ts`,
    find: 'where dispute.sequence < excluded.sequence',
    plant: 'where dispute.sequence <> excluded.sequence',
    seeds: '1..200',
  },
  {
    name: 'a message is written for a customer who is erased while an order goes on',
    file: 'services/notifications/src/messages/tables/directory.ts',
    find: 'and not exists (select from erased_customer where',
    plant: 'and not exists (select from erased_customer where false and',
    seeds: '1..200',
  },
  {
    name: 'an erasure is done while an order of the customer is under way',
    file: `${chassis}/inbox/erase-customer.ts`,
    find: 'const isLeft = (await data.isLeft?.(tx, id)) ?? false;',
    plant: 'const isLeft = false;',
    seeds: '1..200',
  },
  {
    name: 'a dispute that is decided is published as opened only',
    file: `${orders}/disputes/transactions.ts`,
    find: 'if (before === state) return written;',
    plant: 'if (before) return written;',
    seeds: '1..200',
  },
  {
    name: 'an event that the broker lost is not looked for',
    file: `${chassis}/inbox/missing-events.ts`,
    find: 'if (number >= (progress.next ?? 0) && !progress.holds(number)) pass(',
    plant: 'if (number >= (progress.next ?? 0) && progress.holds(number)) pass(',
    seeds: '1..200',
  },
  {
    name: 'a relay that starts again forgets the batch that was under way',
    file: `${chassis}/outbox/relay.ts`,
    find: '  await finishBatches(client, relay, stopped);\n',
    plant: '',
    seeds: '1..200',
  },
];

/** The same, as all mutants are planted. */
export const mutantsBetweenServices: readonly Mutant[] = between.map(({ seeds, ...mutant }) => ({
  ...mutant,
  tests: ['simulation/src/simulation.test'],
  environment: { SIMULATE_SEEDS: seeds },
}));
