import { handleRpc } from '@corner/chassis';
import { type DirectoryEntry, exportDirectory, type ObjectKind, objectKinds } from '@corner/contracts';
import type { Context } from '../../context.ts';
import { recordDataAccess } from '../../data-access/index.ts';
import { findStoreByCode, readExportPage, readOfStores } from '../tables/imported-objects.ts';

const ofOneStore = ['store', 'menu', 'slots', 'programme', 'floor'] as const satisfies readonly ObjectKind[];

const ofOperator = (id: string) => ({ storeId: null, by: { kind: 'operator', id }, what: 'directory_export', requestId: null }) as const;

export const handleExport = handleRpc(exportDirectory, async ({ store_code, customer_ids, after, by }, { database }: Context) => {
  /** An export of customers is returned once it is recorded; null stands for all of them. */
  const record = (ids: readonly (string | null)[]) =>
    database.transaction((tx) =>
      recordDataAccess(
        tx,
        ids.map((customerId) => ({ ...ofOperator(by), customerId, at: tx.now })),
      ),
    );
  const kept = async (kinds: readonly ObjectKind[], ids: readonly string[]): Promise<DirectoryEntry[]> => {
    const found = await Promise.all(
      kinds.map(async (kind) => (await readOfStores(database, kind, ids)).map(({ id, data }) => ({ kind, id, data }))),
    );
    return found.flat();
  };
  if (customer_ids) {
    await record(customer_ids);
    return { entries: await kept(['customer'], customer_ids), next: null };
  }
  if (store_code !== undefined) {
    const id = await findStoreByCode(database, store_code);
    return { entries: id === null ? [] : await kept(ofOneStore, [id]), next: null };
  }
  const first = after ? objectKinds.indexOf(after.kind) : 0;
  for (const kind of objectKinds.slice(first)) {
    const rows = await readExportPage(database, kind, kind === after?.kind ? after.id : null);
    const last = rows.at(-1);
    if (last && kind === 'customer') await record([null]);
    if (last) return { entries: rows.map(({ id, data }) => ({ kind, id, data })), next: { kind, id: last.id } };
  }
  return { entries: [], next: null };
});
