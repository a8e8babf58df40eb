import { rpcsOf } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { operatorRpcs } from './operator-rpcs.ts';

test('a service serves every RPC that the contracts say each service serves, and no other', () => {
  const status = { migrations: `${import.meta.dirname}/../../migrations` };
  const served = operatorRpcs('queue', {} as never, {} as never, status as never).map(({ rpc }) => rpc.name);
  const ofCustomers = ['queue.guest', 'queue.erasure', 'queue.customer-export'];
  const ofEach = rpcsOf('queue').filter(({ name }) => !ofCustomers.includes(name));
  expect(served.sort()).toEqual(ofEach.map(({ name }) => name).sort());
});
