import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { checkout } from '@corner/sandbox/system';
import { payForOrders } from '../load/paid-orders.ts';
import { collectOrders } from '../measurements/paid-orders.ts';
import { describeMachine, machineLine } from '../report/machine.ts';
import { pricedBasket } from '../system/bench-stores.ts';
import { minus } from '../system/measure.ts';
import { processorTime } from '../system/processor-time.ts';
import { statementUse, usedStatements } from '../system/statement-use.ts';
import { type Cost, costReport, type Window } from './report.ts';
import { checkoutOf, type Side, startSide } from './start-side.ts';

// The processor time of a paid order, in turns with another commit: npm run cost -- --base COMMIT

const help = `npm run cost -- [options]
  --base COMMIT   what to compare with, default the last tag
  --head COMMIT   what is compared with it, default this checkout as it is
  --windows N     how often each side runs, default 8
  --seconds N     of load in a window, default 5; each side is warmed up for four times as long`;

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    head: { type: 'string' },
    windows: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});

const concurrency = 16;

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();

async function pay(side: Side, seconds: number): Promise<Window> {
  await collectOrders(side);
  const before = await processorTime(side);
  const { system, customers } = side;
  const load = await payForOrders({ system, customers, stores: side.stores.slice(0, 1), basket: pricedBasket, concurrency, seconds });
  await side.settle();
  return { load, processor: minus(await processorTime(side), before) };
}

const hashOf = (commit: string): string => git('rev-parse', '--verify', `${commit}^{commit}`);
function lastTag(): string {
  const tag = git('tag', '--merged', '--sort=-creatordate').split('\n')[0];
  if (!tag) throw new Error('there is no tag yet to compare with: name a commit, --base COMMIT');
  return tag;
}

const startCommit = async (commit: string) => await startSide(commit.slice(0, 9), await checkoutOf(commit));

async function measure(base: string, head: string | null, windows: number, seconds: number): Promise<readonly [Cost, Cost]> {
  await using theirs = await startCommit(base);
  await using ours = head === null ? await startSide('this checkout', checkout) : await startCommit(head);
  const sides = [theirs, ours] as const;
  const costs = [theirs, ours].map(({ name }): Cost => ({ name, windows: [], statements: [] })) as [Cost, Cost];
  for (const side of sides) {
    await pay(side, seconds * 4);
    await side.database.query('analyze');
  }
  const before = await Promise.all(sides.map(statementUse));
  for (let window = 0; window < windows; window += 1) {
    for (const side of window % 2 === 0 ? [0, 1] : [1, 0]) costs[side as 0 | 1].windows.push(await pay(sides[side as 0 | 1], seconds));
    process.stderr.write('.');
  }
  for (const [i, side] of sides.entries()) costs[i as 0 | 1].statements = usedStatements(before[i] ?? new Map(), await statementUse(side));
  return costs;
}

if (values.help) {
  console.log(help);
} else {
  const base = hashOf(values.base ?? lastTag());
  const costs = await measure(base, values.head === undefined ? null : hashOf(values.head), Number(values.windows), Number(values.seconds));
  console.log(`\n${machineLine(describeMachine(null))}\n\n${costReport(...costs)}`);
}
