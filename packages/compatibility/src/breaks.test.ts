import { describe, expect, test } from '@jest/globals';
import { whyNotDeploy } from './breaks.ts';
import { breaksOf, type Releases } from './gate.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Surface, surfaceOf } from './surface.ts';

const released = {
  orders: [at('orders')],
  loyalty: [at('loyalty')],
  queue: [at('queue')],
  notifications: [at('notifications')],
};
function at(service: Surface['service'], version = '1.0.0'): Surface {
  return surfaceOf(service, version);
}

function changed(surface: Surface, path: readonly string[], change: (value: never) => unknown): Surface {
  const copy = structuredClone(surface);
  // biome-ignore lint/suspicious/noExplicitAny: a path into a surface, which is JSON
  let place: any = copy;
  for (const key of path.slice(0, -1)) place = place[key];
  const last = path.at(-1) ?? '';
  const value = change(place[last] as never);
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}
const gone = () => undefined;
const without = (name: string) => (names: readonly string[]) => names.filter((one) => one !== name);
const withField = (name: string, schema: JsonSchema) => (fields: object) => ({ ...fields, [name]: schema });
const next = (service: Surface['service']) => at(service, 'next');
const breaks = (surface: Surface, releases: Releases = released) => breaksOf([surface], releases);

const paid = ['publishes', 'order.paid/v1'] as const;

describe('what breaks is named, with who breaks', () => {
  test.each<[string, Surface, string]>([
    [
      'an operation is gone',
      changed(next('orders'), ['operations', 'refundOrder'], gone),
      'apps that call refundOrder of orders 1.0.0 break with orders next: the operation is gone',
    ],
    [
      'a path changes',
      changed(next('queue'), ['operations', 'queueStatus', 'path'], () => '/api/v1/elsewhere'),
      'it is now GET /api/v1/elsewhere',
    ],
    [
      'a caller is refused',
      changed(next('orders'), ['operations', 'refundOrder', 'callers'], without('staff')),
      'a caller of kind staff is refused',
    ],
    [
      'a scope is asked for',
      changed(next('orders'), ['operations', 'refundOrder', 'scope'], () => 'merchant:read'),
      'a token now needs the scope merchant:read',
    ],
    [
      'a role is asked for',
      changed(next('orders'), ['operations', 'refundOrder', 'role'], () => 'manager'),
      'a caller now needs the role manager',
    ],
    [
      'a repeat is not recognised',
      changed(next('orders'), ['operations', 'refundOrder', 'replay'], () => 'none'),
      'a repeated request is recognised by none, not by header',
    ],
    [
      'a read cannot be followed',
      changed(next('queue'), ['operations', 'queueStatus', 'features'], without('live')),
      'it has no live any more',
    ],
    [
      'a field of a request becomes required',
      changed(next('orders'), ['operations', 'createOrder', 'request', 'body', 'required'], (names: string[]) => [...names, 'slot_id']),
      'in the body, slot_id may be missing',
    ],
    [
      'a new field of a request is required',
      changed(
        changed(next('orders'), ['operations', 'createOrder', 'request', 'body', 'required'], (names: string[]) => [...names, 'table']),
        ['operations', 'createOrder', 'request', 'body', 'properties'],
        withField('table', { type: 'string' }),
      ),
      'in the body, table is missing',
    ],
    [
      'a field of a reply is gone',
      changed(
        changed(next('orders'), ['operations', 'createOrder', 'reply', 'properties', 'order_id'], gone),
        ['operations', 'createOrder', 'reply', 'required'],
        without('order_id'),
      ),
      'in the reply, order_id is missing',
    ],
    [
      'an event is published no more',
      changed(next('orders'), paid, gone),
      'subscribers of order.paid/v1 of orders 1.0.0 break with orders next: order.paid/v1 is published no more',
    ],
    [
      'a field of an event is gone',
      changed(changed(next('orders'), [...paid, 'properties', 'order_id'], gone), [...paid, 'required'], without('order_id')),
      'loyalty 1.0.0 refuses order.paid/v1 of orders next: order_id is missing',
    ],
    [
      'a handler needs what stored events lack',
      changed(next('loyalty'), ['consumes', 'order.paid/v1', 'required'], (names: string[]) => [...names, 'colour']),
      'loyalty next refuses order.paid/v1 of orders 1.0.0: colour is missing',
    ],
    [
      'an RPC is served no more',
      changed(next('loyalty'), ['serves', 'loyalty.award'], gone),
      'callers of loyalty.award of loyalty 1.0.0 break with loyalty next: it is served no more',
    ],
    [
      'an RPC needs more than its callers send',
      changed(next('loyalty'), ['serves', 'loyalty.award', 'input', 'required'], (names: string[]) => [...names, 'colour']),
      'loyalty next refuses a call of loyalty.award by orders 1.0.0: colour is missing',
    ],
    [
      'the reply of an RPC lacks what its callers need',
      changed(next('loyalty'), ['serves', 'loyalty.award', 'output'], () => ({ type: 'string' })),
      'orders 1.0.0 refuses the reply of loyalty next to loyalty.award',
    ],
  ])('%s', (_what, surface, sentence) => {
    expect(breaks(surface)).toEqual(expect.arrayContaining([expect.stringContaining(sentence)]));
  });
});

describe('additions break no one', () => {
  test.each<[string, Surface]>([
    ['an operation', changed(next('orders'), ['operations', 'another'], () => next('orders').operations.getOrder)],
    ['a field of an event', changed(next('orders'), [...paid, 'properties'], withField('colour', { type: 'string' }))],
    [
      'an optional field of a request',
      changed(next('orders'), ['operations', 'createOrder', 'request', 'body', 'properties'], withField('table', { type: 'string' })),
    ],
    [
      'a field of a reply',
      changed(next('orders'), ['operations', 'createOrder', 'reply', 'properties'], withField('table', { type: 'string' })),
    ],
    ['an event that no service handles yet', changed(next('orders'), ['publishes', 'order.archived/v1'], () => ({ type: 'object' }))],
    ['a call that the other side does not serve yet', changed(next('orders'), ['calls', 'loyalty.new'], () => ({ input: {}, output: {} }))],
  ])('%s', (_what, surface) => {
    expect(breaks(surface)).toEqual([]);
  });
});

test('an event stored by any release must still be handled, not only one by the last', () => {
  const old = changed(at('orders', '0.9.0'), [...paid, 'required'], without('order_id'));
  const [found = ''] = breaks(next('loyalty'), { ...released, orders: [old, at('orders')] });
  expect(found).toBe('loyalty next refuses order.paid/v1 of orders 0.9.0: order_id may be missing');
});

test('a version may be deployed where it understands what runs, and not beside a version that it does not', () => {
  const needing = changed(at('loyalty', '1.1.0'), ['consumes', 'order.paid/v1', 'required'], (names: string[]) => [...names, 'colour']);
  const sending = changed(
    changed(at('orders', '1.1.0'), [...paid, 'properties'], withField('colour', { type: 'string' })),
    [...paid, 'required'],
    (names: string[]) => [...names, 'colour'],
  );
  expect(whyNotDeploy(needing, [at('orders'), at('loyalty')])).toEqual([
    'loyalty 1.1.0 refuses order.paid/v1 of orders 1.0.0: colour is missing',
  ]);
  expect(whyNotDeploy(needing, [sending, at('loyalty')])).toEqual([]);
});
