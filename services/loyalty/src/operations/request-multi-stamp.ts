import type { Operation } from '@corner/chassis';
import type { loyalty } from '@corner/contracts';
import type { Context } from '../context.ts';
import { windowSeconds } from '../rules/multi-stamp.ts';
import { requestMultiStamp as open } from '../transactions/request-multi-stamp.ts';

/** Opens a request for several stamps, which staff confirm within a minute. An expired request is replaced, a pending one is not. */
export const requestMultiStamp: Operation<typeof loyalty.requestMultiStamp, Context> = async ({ body, caller }, { database }) => {
  const { store_id: storeId, requested_stamps } = body;
  const { id, expiresAt } = await database.transaction((tx) => open(tx, { storeId, customerId: caller.id, stamps: requested_stamps }));
  return { request_id: id, requested_stamps, expires_at: expiresAt, expires_in_seconds: windowSeconds };
};
