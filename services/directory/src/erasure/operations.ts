import type { Operation } from '@corner/chassis';
import { type directory as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { checkKnown } from '../customers/index.ts';
import { recordDataAccess } from '../data-access/index.ts';
import { findObject } from '../object/tables.ts';
import { checkStore } from '../object/transactions/object-requests.ts';
import { certificateOf } from './rules.ts';
import { exportCustomer } from './sagas/erasures.ts';
import { type ErasureRow, findErasureByReceipt, saveErasure } from './tables/erasures.ts';
import { eraseCustomer } from './transactions.ts';

export const eraseMe: Operation<typeof contracts.eraseMe, Context> = async ({ caller }, { database, newReceipt }) => {
  const wanted = { customerId: caller.id, receipt: newReceipt(), requestedBy: 'customer', byId: null, storeId: null } as const;
  return replyOf(await database.transaction((tx) => eraseCustomer(tx, wanted)));
};

/** Returns everything held of the caller, including who read it before; the export is recorded, too. */
export const exportMe: Operation<typeof contracts.exportMe, Context> = async ({ caller: { id }, requestId }, context) => {
  const exported = await exportCustomer(context, id);
  await context.database.transaction((tx) =>
    recordDataAccess(tx, [{ storeId: null, by: { kind: 'customer', id }, customerId: id, what: 'export', requestId, at: tx.now }]),
  );
  return exported;
};

/** Records that a customer asked a store to be erased. An operator begins the erasure: the customer's data belongs to other stores too. */
export const requestErasure: Operation<typeof contracts.requestErasure, Context> = async ({ params, caller }, context) => {
  const { database, newReceipt } = context;
  const { store_id: storeId, customer_id: customerId } = params;
  await checkStore(database, storeId);
  await checkKnown(context, storeId, customerId);
  if (!(await findObject(database, { kind: 'customer', id: customerId, storeId: null }))) throw new Problem('CUSTOMER_NOT_FOUND');
  const wanted = { customerId, receipt: newReceipt(), requestedBy: 'merchant', byId: caller.id, storeId } as const;
  return replyOf(await database.transaction((tx) => saveErasure(tx, wanted)));
};

export const readErasure: Operation<typeof contracts.readErasure, Context> = async ({ params }, { database }) => {
  const erasure = await findErasureByReceipt(database, params.receipt);
  if (!erasure) throw new Problem('ERASURE_NOT_FOUND');
  return { certificate: certificateOf(erasure) };
};

const replyOf = (erasure: ErasureRow) => ({ receipt: erasure.receipt, certificate: certificateOf(erasure) });
