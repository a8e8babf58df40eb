import type { Transaction } from '@corner/chassis';
import { type ChangedBy, type importStamps, Problem, type RpcInput, type RpcOutput } from '@corner/contracts';
import { findStore } from '../card/tables/directory.ts';
import { findEarlierStamp, insertStamps, readCardBalance } from '../card/tables/stamps.ts';
import { changeCard, countStamps, type LockedCard } from '../card/transactions.ts';
import { readLookUp } from '../customers/index.ts';
import { customerFault, customerNamed, lineKey, stampsOfLine } from './rules.ts';
import { findCustomersNamed } from './tables.ts';

type Line = RpcInput<typeof importStamps>['lines'][number];
type Imported = RpcOutput<typeof importStamps>;
type Fault = Imported['faults'][number];

interface KnownLine extends Line {
  readonly storeId: string;
  readonly customerId: string;
}

/**
 * Adds the stamps of lines to their cards, outside all limits, and mints the vouchers they complete. A line that was imported before adds
 * nothing. With any fault nothing is written. Cards are locked in the order of their keys, each after its store's quota.
 */
export async function importLines(tx: Transaction, lines: readonly Line[], by: ChangedBy): Promise<Imported> {
  const checked = await checkLines(tx, lines);
  const faults = checked.flatMap((line) => ('fault' in line ? [line] : []));
  if (faults.length > 0) return { faults, lines: [] };
  const known = checked.flatMap((line) => ('storeId' in line ? [line] : []));
  const imported: (Fault | Imported['lines'][number])[] = [];
  for (const line of known.toSorted(byCard))
    imported.push(await changeCard(tx, line, (card) => importLine(tx, card, line, by), { quota: true }));
  return {
    faults: imported.flatMap((line) => ('fault' in line ? [line] : [])),
    lines: imported.flatMap((line) => ('fault' in line ? [] : [line])).toSorted((a, b) => a.line - b.line),
  };
}

const byCard = (a: KnownLine, b: KnownLine): number => (`${a.storeId}:${a.customerId}` < `${b.storeId}:${b.customerId}` ? -1 : 1);

async function checkLines(tx: Transaction, lines: readonly Line[]): Promise<readonly (KnownLine | Fault)[]> {
  const stores = new Map<string, Awaited<ReturnType<typeof findStore>>>();
  for (const named of new Set(lines.map((line) => line.store))) stores.set(named, await findStore(tx, named));
  const checked: (KnownLine | Fault)[] = [];
  for (const line of lines) {
    const named = customerNamed(readLookUp(line.customer));
    const [customerId = '', another] = named ? await findCustomersNamed(tx, named) : [];
    const store = stores.get(line.store);
    const fault = customerFault(named, customerId === '' ? 0 : another ? 2 : 1);
    if (!store) checked.push({ line: line.line, field: 'store', fault: 'is no store that the directory has published' });
    else if (store.goal === 0) checked.push({ line: line.line, field: 'store', fault: 'has no programme' });
    if (fault !== null) checked.push({ line: line.line, field: 'customer', fault });
    else if (store && store.goal > 0) checked.push({ ...line, storeId: store.id, customerId });
  }
  return checked;
}

async function importLine(
  tx: Transaction,
  card: LockedCard | null,
  line: KnownLine,
  by: ChangedBy,
): Promise<Fault | Imported['lines'][number]> {
  if (!card) throw new Problem('UPSTREAM_UNAVAILABLE', { message: 'The programme of a store was taken away meanwhile.' });
  const grantKey = lineKey(line, line.customerId);
  const of = { line: line.line, store_id: line.storeId, customer_id: line.customerId };
  const earlier = await findEarlierStamp(tx, { storeId: line.storeId, grantKey });
  if (earlier && (earlier.customer_id !== line.customerId || earlier.source !== 'import'))
    return { line: line.line, field: 'id', fault: 'was used for another customer of the store' };
  if (earlier) return { ...of, stamps: 0, vouchers: 0, stamp_count: (await readCardBalance(tx, card)).stampCount, repeated: true };
  const ids = Array.from({ length: stampsOfLine(line, card.goal) }, () => tx.newId());
  const added = ids.map((id, index) => ({
    id,
    approved: true,
    source: 'import',
    collectedAt: tx.now,
    by,
    grantKey: index === 0 ? grantKey : null,
  }));
  const balance = await insertStamps(tx, card, added, 'no one');
  const { minted, stampCount } = await countStamps(tx, card, { ids, source: 'import' }, balance);
  return { ...of, stamps: ids.length, vouchers: minted.length, stamp_count: stampCount, repeated: false };
}
