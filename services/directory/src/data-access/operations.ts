import type { Operation } from '@corner/chassis';
import { type directory as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { readAccessPage } from './tables.ts';

export const listDataAccess: Operation<typeof contracts.listDataAccess, Context> = async ({ params, query }, { database }) => {
  const page = await readAccessPage(database, { storeId: params.store_id, before: query.before ?? null, limit: query.limit });
  if (!page) throw new Problem('STORE_NOT_FOUND');
  if (!page.cursor_known) throw new Problem('INVALID_CURSOR', { message: 'The store’s record has no row with the id in before.' });
  return {
    entries: page.rows.map(({ number, by_kind: kind, by_id: id, name, ...row }) => ({
      id: String(number),
      by: { kind, id, name },
      ...row,
    })),
  };
};
