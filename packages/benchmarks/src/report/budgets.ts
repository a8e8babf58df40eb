import type { Finding } from './figures.ts';

const perOrder =
  'Postgres takes about a third, orders a quarter and notifications a fifth. Two messages are really sent, a receipt by mail and a stamp by push. ' +
  'One statement each for placing, paying and awarding took away 45 of 74 statements and half of the commits. What is left: three calls of the ' +
  'provider, six HTTP requests, and a transaction of their own for each small batch of events in notifications and loyalty.';
const accepting =
  'Postgres takes 55 %, orders 34 %, the gateway 10 %. One statement instead of four in a transaction took Postgres from 3.6 to 2.6 ms and ' +
  'orders from 3.5 to 2.5 ms (one connection, in turns). Leaving out the parts of the statement that an order does not need gave 3 %. The profile of ' +
  'the statement is flat: its CHECKs and foreign keys stay, as they are guards.';
const reading =
  'The statement takes a seventh. The rest is two HTTP hops, the token and the parsing in Node: a bare hop of node:http and undici alone costs ' +
  '85 to 90 µs of the 140 µs that the gateway takes.';
const memory =
  'Half of it is garbage that V8 has not collected: a forced collection took orders from 179 to 91 MB. A small young generation and modules that ' +
  'load when they are used took the idle system from 474 MB. A limit of the old generation would save more, and end a process that needs more.';

/** By what a row measures: where a figure that misses its goal goes, what was tried, and what each try gave. */
const budgets: Readonly<Record<string, string>> = {
  'a paid order, 16 at once: processor': perOrder,
  'a paid order: statements of all services':
    'One order at a time takes 48: 16 of them for four batches of events in notifications, each a transaction of four statements.',
  'a paid order: commits':
    'Each statement outside a transaction counts as one, and so does each read: one order at a time takes 28, of which 22 write. Joining BEGIN with the first statement was ' +
    'tried in a driver of its own: one round trip less, no clear gain of processor time.',
  'a paid order: rows read':
    'One order at a time reads 79: 27 for the leases of its messages, 11 as it is marked paid, and the rest a few rows a statement.',
  'a fulfilment move: rewritten rows of orders that needed no new index entry':
    'Two of three moves need none. The last one must leave the index of live orders and enter that of the history.',
  'a free order with stamp and messages, 16 at once: processor, by hand / ours': perOrder,
  'a free order with stamp and messages, 16 at once: processor': perOrder,
  'accept, 1 at once: processor, by hand / ours': accepting,
  'accept, 16 at once: processor, by hand / ours': accepting,
  'accept, 64 at once: processor, by hand / ours': accepting,
  'five services, idle: memory (PSS)': memory,
  'five services, after 10,000 orders: memory (PSS)': memory,
  'idle system: processor':
    'Fewer statements (68 to 11 a second) and fewer timers (100 to 20 wake-ups a second and process) took it from 8 %. NATS alone takes 0.5 %.',
  'get order, 16 at once: processor, pgbench / ours': reading,
  'customer-state, 16 at once: processor, pgbench / ours': reading,
  'queue status, 16 at once: processor, pgbench / ours': reading,
  'preferences, 16 at once: processor, pgbench / ours': reading,
};

/** The row with its budget, which is printed when it misses its goal. */
export function withBudget(finding: Finding): Finding {
  const budget = finding.budget ?? budgets[finding.what];
  return budget === undefined ? finding : { ...finding, budget };
}
