import { derivedUuid, foundLogPage, type Operation } from '@corner/chassis';
import type { directory as contracts, DirectoryObject } from '@corner/contracts';
import type { Context } from '../context.ts';
import { changeObject, type Versioned } from '../object/transactions/change-object.ts';
import { madeBy, readOfStore, roleOf } from '../object/transactions/object-requests.ts';
import { logTitle } from './rules/log.ts';
import { checkStoreFields, editStore } from './rules/settings.ts';
import { listStores, readLog } from './tables.ts';
import { checkStoreName } from './transactions/check-store-name.ts';
import { createStore as create } from './transactions/create-store.ts';

export const createStore: Operation<typeof contracts.createStore, Context> = async (request, { database, newId }) => {
  const made = madeBy('createStore', request);
  const id = made.requestId === null ? newId() : derivedUuid(`store:${made.requestId}`);
  return storeReply(await database.transaction((tx) => create(tx, { id, settings: request.body, ...made })));
};

export const listDirectoryStores: Operation<typeof contracts.listDirectoryStores, Context> = async ({ caller, query }, { database }) => {
  const stores = await listStores(database, [...caller.stores.keys()], query.after ?? null, query.limit);
  return { stores: stores.map((store) => ({ ...store, role: roleOf(caller, store.id) })) };
};

export const readDirectoryStore: Operation<typeof contracts.readDirectoryStore, Context> = async ({ params }, { database }) =>
  storeReply(await readOfStore(database, 'store', params.store_id));

export const changeStore: Operation<typeof contracts.changeStore, Context> = async (request, { database }) => {
  const { params, body, caller } = request;
  const id = params.store_id;
  checkStoreFields(roleOf(caller, id), body);
  const changed = await database.transaction(async (tx) => {
    if (body.name !== undefined) await checkStoreName(tx, { storeId: id, name: body.name, ownerId: caller.id });
    return await changeObject(tx, {
      kind: 'store',
      id,
      storeId: id,
      at: id,
      ...madeBy('changeStore', request),
      change: (store) => editStore(store as DirectoryObject<'store'>, body),
    });
  });
  return storeReply(changed);
};

export const listDirectoryLog: Operation<typeof contracts.listDirectoryLog, Context> = async ({ params, query }, { database }) => {
  const { day = null, before = null, limit } = query;
  const page = foundLogPage(await readLog(database, { storeId: params.store_id, day, before, limit }));
  return {
    entries: page.rows.map(({ id, by_id, by_name, ...row }) => ({
      ...row,
      id: String(id),
      title: logTitle(row),
      by: { id: by_id, name: by_name },
    })),
  };
};

const storeReply = ({ version, data }: Versioned<'store'>) => ({ version, store: data });
