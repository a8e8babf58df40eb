import { rpcsOf } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { operatorRpcs } from './operator-rpcs.ts';

test('a service serves every RPC that the contracts say each service serves, and no other', () => {
  const status = { migrations: `${import.meta.dirname}/../../migrations` };
  const served = operatorRpcs('queue', {} as never, {} as never, status as never).map(({ rpc }) => rpc.name);
  const ofEach = rpcsOf('queue').filter(({ name }) => name !== 'queue.guest');
  expect(served.sort()).toEqual(ofEach.map(({ name }) => name).sort());
});
