import { expect, test } from '@jest/globals';
import { groupOf, timeByGroup } from './function-profile.ts';

const pnpm = 'file:///corner/node_modules/.pnpm';
const frame = (functionName: string, url = '') => ({ functionName, url });

test.each([
  [frame('(idle)'), 'idle'],
  [frame('(garbage collector)'), 'garbage collection'],
  [frame('(program)'), 'idle'],
  [frame('stat'), 'native code'],
  [frame('writeUtf8String'), 'writes to sockets'],
  [frame('query', `${pnpm}/pg@8.23.0/node_modules/pg/lib/client.js`), 'pg'],
  [frame('parse', `${pnpm}/pg-protocol@1.0.0/node_modules/pg-protocol/dist/parser.js`), 'pg'],
  [frame('any', `${pnpm}/@slonik+driver@1.0.0/node_modules/@slonik/driver/dist/a.js`), 'slonik'],
  [frame('parse', `${pnpm}/zod@4.0.0/node_modules/zod/v4/core/parse.js`), 'zod'],
  [frame('placeOrder', 'file:///corner/services/orders/src/tables/place-order.ts'), 'own code'],
  [frame('processTicksAndRejections', 'node:internal/process/task_queues'), 'timers and promises'],
  [frame('onread', 'node:internal/stream_base_commons'), 'streams, buffers, sockets, HTTP'],
  [frame('fetch', 'node:internal/deps/undici/undici'), 'undici'],
  [frame('x', `${pnpm}/left-pad@1.0.0/node_modules/left-pad/index.js`), 'other packages'],
])('a function belongs to the group of its file: %j', (of, group) => {
  expect(groupOf(of)).toBe(group);
});

test('the time of samples is summed by group, without idle time', () => {
  const nodes = [frame('(idle)'), frame('query', '/node_modules/pg/a.js'), frame('parse', '/node_modules/zod/b.js')].map(
    (callFrame, id) => ({ id, callFrame }),
  );
  const times = timeByGroup({ nodes, samples: [0, 1, 2, 1], timeDeltas: [1000, 20, 300, 4] });
  expect([...times]).toEqual([
    ['pg', 24],
    ['zod', 300],
  ]);
});
