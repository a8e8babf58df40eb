import { type RequiredService, requiredServices } from '@corner/contracts';
import { describe, expect, test } from '@jest/globals';
import { breaksOf, type Releases } from './gate.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Meanings, meaningsMoved, meaningsOf } from './meanings.ts';
import { type Part, parts, type Surface, surfaceOf } from './surface.ts';

const places = {
  orders: { operation: 'createOrder', replied: 'order_id', event: 'order.paid/v1', field: 'order_id', rpc: 'orders.receipt' },
  loyalty: { operation: 'grantStamp', replied: 'stamp_id', event: 'stamp.approved/v1', field: 'store_id', rpc: 'loyalty.award' },
  queue: { operation: 'joinQueue', replied: 'entry_id', event: 'queue.called/v1', field: 'entry_ref', rpc: 'queue.guest' },
  notifications: {
    operation: 'upsertPreferences',
    replied: 'updated',
    event: 'prefs.changed/v1',
    field: 'store_id',
    rpc: 'notifications.ask',
  },
} as const satisfies Record<RequiredService, object>;

// biome-ignore lint/suspicious/noExplicitAny: parts of a surface, which is JSON, are changed in place
type Json = any;
type Change = (schema: Json) => void;

const remove =
  (field: string): Change =>
  (schema) => {
    delete schema.properties[field];
    loosen(field)(schema);
  };
const loosen =
  (field: string): Change =>
  (schema) => {
    schema.required = (schema.required ?? []).filter((name: string) => name !== field);
  };
const add =
  (field: string, type: JsonSchema = { type: 'string' }): Change =>
  (schema) => {
    schema.properties = { ...schema.properties, [field]: type };
  };
const need =
  (field: string): Change =>
  (schema) => {
    add(field)(schema);
    schema.required = [...(schema.required ?? []), field];
  };
const rename =
  (field: string): Change =>
  (schema) => {
    need(`${field}_renamed`)(schema);
    remove(field)(schema);
  };
const retype = (field: string): Change => add(field, { type: 'boolean' });
const mode = (...values: string[]): Change => add('mode', { type: 'string', enum: values });

const size = (bounds: JsonSchema): Change => add('size', { type: 'integer', ...bounds });

const optional =
  (field: string): Change =>
  (schema) => {
    add(field, { ...text, default: 'a' })(schema);
    loosen(field)(schema);
  };
const text: JsonSchema = { type: 'string' };
const orNull: JsonSchema = { anyOf: [text, { type: 'null' }] };
const unchanged = (): void => {};
const first = Object.fromEntries(requiredServices.map((name) => [name, surfaceOf(name, '1.0.0')])) as Record<RequiredService, Surface>;
const directoryEvent = 'store/v1';

describe.each(requiredServices)('%s', (service) => {
  const { operation, replied, event, field, rpc } = places[service];
  const body = (surface: Surface): Json => surface.operations[operation]?.request.body;
  const reply = (surface: Surface): Json => surface.operations[operation]?.reply;
  const sent = (surface: Surface): Json => surface.publishes[event];
  const input = (surface: Surface): Json => surface.serves[rpc]?.input;
  const output = (surface: Surface): Json => surface.serves[rpc]?.output;
  const fromDirectory = (surface: Surface): Json => surface.consumes[directoryEvent];
  const envelope = (surface: Surface): Json => surface.envelope;
  const features = (surface: Surface): Json => surface.operations[operation]?.features;
  const status = (surface: Surface): Json => surface.serves[`${service}.status`];
  const called = (one: Surface): Json => one.calls[rpc]?.output;
  const returned = Object.keys(output(first[service]).properties ?? {})[0] ?? 'returned';

  function breaks(change: (surface: Surface) => void, before: (surface: Surface) => void = unchanged): readonly string[] {
    const release = (name: RequiredService) => {
      const surface = structuredClone(first[name]);
      for (const part of [surface.serves[rpc]?.output, called(surface)].filter(Boolean)) need(returned)(part);
      if (name === service) before(surface);
      return [surface];
    };
    const releases: Releases = Object.fromEntries(requiredServices.map((name) => [name, release(name)]));
    const next: Surface = { ...structuredClone(releases[service]?.[0] as Surface), version: 'next' };
    change(next);
    return breaksOf([next], releases);
  }

  test('with no change there is no break', () => {
    expect(breaks(() => {})).toEqual([]);
  });

  const apps = `apps that call ${operation} of ${service} 1.0.0 break with ${service} next`;
  const wide = (of: (surface: Surface) => Part) => (surface: Surface) => mode('slow', 'fast')(of(surface));
  test.each<[string, string, (surface: Surface) => void, ((surface: Surface) => void)?]>([
    ['a field of a reply is removed', apps, (next) => remove(replied)(reply(next))],
    ['a field of a reply becomes optional', apps, (next) => loosen(replied)(reply(next))],
    ['a field of a reply is renamed', apps, (next) => rename(replied)(reply(next))],
    ['an enumeration of a request is narrowed', apps, (next) => mode('slow')(body(next)), wide(body)],
    ['a new field of a request is required', apps, (next) => need('wanted')(body(next))],
    ['a reply has another status', apps, (next) => mode('slow', 'fast', 'gone')(reply(next)), wide(reply)],
    ['a field of a request is read no more', apps, (next) => remove('mode')(body(next)), wide(body)],
    ['a field of a request is renamed', apps, (next) => rename('mode')(body(next)), wide(body)],
    ['a field of a request has another default', apps, (next) => size({ default: 50 })(body(next)), (r) => size({ default: 20 })(body(r))],
    ['fields that a request may have are refused', apps, (next) => (body(next).additionalProperties = false)],
    [
      'a bound that the relation does not know',
      apps,
      (next) => size({ multipleOf: 5 } as JsonSchema)(body(next)),
      (r) => size({})(body(r)),
    ],
    ['a bound of a request is closer', apps, (next) => size({ maximum: 5 })(body(next)), (r) => size({ maximum: 9 })(body(r))],
    ['a field of a reply may be null', apps, (next) => add('mode', orNull)(reply(next)), (r) => add('mode', text)(reply(r))],
    ['a field of a reply is a fraction', apps, (next) => add('size', { type: 'number' })(reply(next)), (r) => size({})(reply(r))],
    ['a header is read no more', apps, (next) => features(next).pop(), (release) => features(release).push('header X-Till')],
    ['the directory must send more', 'directories that send store/v1', (next) => need('wanted')(fromDirectory(next))],
    ['a field of the directory is read no more', 'directories that send store/v1', (next) => remove('name')(fromDirectory(next))],
    ['the envelope of an event lacks a part', 'subscribers of all events', (next) => remove('sequence')(envelope(next).sent)],
    ['a part of the envelope is required', 'directories break', (next) => need('wanted')(envelope(next).accepted)],
    ['a field of an event is removed', event, (next) => remove(field)(sent(next))],
    ['a field of an event is of another kind', event, (next) => retype(field)(sent(next))],
    ['RPC: a field of the reply is removed', rpc, (next) => remove(returned)(output(next))],
    ['RPC: a field of the reply becomes optional', rpc, (next) => loosen(returned)(output(next))],
    ['RPC: a field of the reply is renamed', rpc, (next) => rename(returned)(output(next))],
    ['RPC: a field of the reply is of another kind', rpc, (next) => retype(returned)(output(next))],
    ['RPC: a new field of the input is required', rpc, (next) => need('wanted')(input(next))],
    ['RPC: a field of the input is read no more', rpc, (next) => remove('mode')(input(next)), wide(input)],
    ['RPC: it is served no more', rpc, (next) => delete (next.serves as Json)[rpc]],
    ['RPC: a field that callers send is of another kind', rpc, (next) => retype(Object.keys(input(next).properties)[0] ?? '')(input(next))],
    ['an operators’ RPC: a field of the reply is removed', `${service}.status`, (next) => remove('ready')(status(next).output)],
    ['an operators’ RPC: a new field of the input is required', `${service}.status`, (next) => need('wanted')(status(next).input)],
    ['an operators’ RPC is served no more', `${service}.explain`, (next) => delete (next.serves as Json)[`${service}.explain`]],
    [
      'events are read from an outbox by other fields',
      `${service}.events.read`,
      (next) => retype('from')((next.serves as Json)[`${service}.events.read`].input),
    ],
    [
      'a publisher cannot wait until events are processed',
      `${service}.processed`,
      (next) => rename('processed')((next.serves as Json)[`${service}.processed`].output),
    ],
    [
      'a header is required that the gateway need not send',
      `${service}.http`,
      (next) => need('x-till')((next.serves as Json)[`${service}.http`].input),
    ],
  ])('%s', (_what, who, change, before = unchanged) => {
    expect(breaks(change, before)).toEqual(expect.arrayContaining([expect.stringContaining(who)]));
  });

  test.each<[string, (surface: Surface) => void, ((surface: Surface) => void)?]>([
    ['a reply has a new field', (next) => need('more')(reply(next))],
    ['a request has a new optional field', (next) => add('more')(body(next))],
    ['an enumeration of a request is widened', (next) => mode('slow', 'fast', 'soon')(body(next)), wide(body)],
    ['a field of a request becomes optional', (next) => loosen('wanted')(body(next)), (release) => need('wanted')(body(release))],
    ['a required field of a request gets a default', (next) => optional('wanted')(body(next)), (r) => need('wanted')(body(r))],
    ['an enumeration of a reply is narrowed', (next) => mode('slow')(reply(next)), wide(reply)],
    ['an event has a new field', (next) => need('more')(sent(next))],
    ['there is a new event', (next) => ((next.publishes as Json)[`${service}.new/v1`] = { type: 'object' })],
    ['a header more is read', (next) => features(next).push('header X-Till')],
    ['the directory may send more', (next) => add('more')(fromDirectory(next))],
    ['the envelope of an event has a new part', (next) => need('more')(envelope(next).sent)],
    ['there is a producer more', (next) => add('source', { type: 'string' })(envelope(next).accepted)],
    ['a request takes null as well', (next) => add('mode', orNull)(body(next)), (r) => add('mode', text)(body(r))],
    ['there is a new operation', (next) => ((next.operations as Json).another = next.operations[operation])],
    ['RPC: the reply has a new field', (next) => need('more')(output(next))],
    ['RPC: the input has a new optional field', (next) => add('more')(input(next))],
    ['RPC: an enumeration of the input is widened', (next) => mode('slow', 'fast', 'soon')(input(next)), wide(input)],
    ['RPC: a field of the input becomes optional', (next) => loosen(Object.keys(input(next).properties)[0] ?? '')(input(next))],
    ['RPC: an enumeration of the reply is narrowed', (next) => mode('slow')(output(next)), wide(output)],
    ['RPC: a new one is served', (next) => ((next.serves as Json)[`${service}.new`] = { input: {}, output: {} })],
    ['RPC: one is called that no other serves yet', (next) => ((next.calls as Json)['orders.new'] = { input: {}, output: {} })],
    ['an operators’ RPC: the reply has a new field', (next) => need('more')(status(next).output)],
    ['RPC: a bound of the input is taken away', (next) => size({})(input(next)), (r) => size({ minimum: 1 })(input(r))],
  ])('safe: %s', (_what, change, before = unchanged) => {
    expect(breaks(change, before)).toEqual([]);
  });

  test('what a field of an event or RPC means, and the status of a problem, may not move', () => {
    const now = meaningsOf(service);
    const place = Object.keys(now.fields).find((one) => one.startsWith(`${event} `)) ?? '';
    const { RATE_LIMITED: _gone, ...statuses } = now.statuses;
    const moved: Meanings = {
      fields: { ...now.fields, [place]: 'In pounds.' },
      statuses: { ...statuses, VALIDATION_FAILED: 422 },
      final: [...now.final, 'UNAUTHENTICATED'],
    };
    expect(meaningsMoved(service, now, moved)).toEqual([
      expect.stringMatching(/ read .* and it now says “In pounds\.”: a new meaning needs a new field$/),
      `apps that know VALIDATION_FAILED by its status 400 break with ${service} next: it is 422`,
      `apps that know RATE_LIMITED by its status 429 break with ${service} next: it is gone, or has another name`,
      `apps that repeat what ${service} refused with UNAUTHENTICATED under the same Idempotency-Key break with ${service} next: it is final now`,
    ]);
    const added: Meanings = {
      fields: { ...now.fields, [`${event} more`]: 'New.' },
      statuses: { ...now.statuses, NEW: 409 },
      final: [...now.final, 'NEW'],
    };
    expect(meaningsMoved(service, now, added)).toEqual([]);
  });
});

describe('webhooks', () => {
  const releases: Releases = Object.fromEntries(requiredServices.map((name) => [name, [first[name]]]));
  function breaks(change: (webhooks: Json) => void): readonly string[] {
    const next: Json = { ...structuredClone(first.notifications), version: 'next' };
    change(next.webhooks);
    return breaksOf([next], releases);
  }
  const data = (webhooks: Json): Json => webhooks['order.paid/v1'].allOf[1].properties.data;
  const shared = (webhooks: Json): Json => webhooks['order.paid/v1'].$defs.WebhookPayload;

  test.each<[string, (webhooks: Json) => void]>([
    ['a field is no longer sent', (webhooks) => remove('total_pence')(data(webhooks))],
    ['a field is of another kind', (webhooks) => retype('total_pence')(data(webhooks))],
    ['the body lacks its number', (webhooks) => remove('number')(shared(webhooks))],
    ['an event is no longer sent', (webhooks) => delete webhooks['order.paid/v1']],
  ])('%s', (_what, change) => {
    expect(breaks(change)).toEqual([
      expect.stringContaining('webhooks of order.paid/v1 of notifications 1.0.0 break with notifications next'),
    ]);
  });

  test('a field or an event more breaks none', () => {
    expect(breaks((webhooks) => need('more')(data(webhooks)))).toEqual([]);
    expect(breaks((webhooks) => (webhooks['order.new/v1'] = webhooks['order.paid/v1']))).toEqual([]);
  });
});

describe('a part before the services', () => {
  const releases: Releases = Object.fromEntries(parts.map((part) => [part, [surfaceOf(part, '1.0.0')]]));
  function breaks(part: Part, change: (surface: Json) => void): readonly string[] {
    const next = surfaceOf(part, 'next');
    change(next);
    return breaksOf([next], releases);
  }

  test.each<[Part, string, string, (surface: Json) => void]>([
    [
      'gateway',
      'leaves a header out',
      'refuses a call of orders.http by gateway next',
      ({ calls }) => remove('x-forwarded-for')(calls['orders.http'].input),
    ],
    ['gateway', 'has no route any more', 'apps that call /printers of gateway', ({ operations }) => delete operations['/printers']],
    [
      'gateway',
      'sends a route elsewhere',
      'it has no service orders any more',
      ({ operations }) => (operations['/printers'].features[0] = 'service queue'),
    ],
    [
      'console',
      'gives its pages a field less',
      'apps that call System of console',
      ({ operations }) => remove('processes')(operations.System.reply),
    ],
    [
      'console',
      'asks its pages for more',
      'apps that call Reason of console',
      ({ operations }) => need('wanted')(operations.Reason.request.body),
    ],
    [
      'console',
      'needs a field that no service sends',
      'console next refuses the reply of queue 1.0.0 to queue.status',
      ({ calls }) => need('wanted')(calls['queue.status'].output),
    ],
    [
      'console',
      'sends what a service refuses',
      'refuses a call of orders.day-of-money by console next',
      ({ calls }) => retype('date')(calls['orders.day-of-money'].input),
    ],
  ])('%s %s', (part, _what, who, change) => {
    expect(breaks(part, change)).toEqual(expect.arrayContaining([expect.stringContaining(who)]));
  });

  test.each<[Part, string, (surface: Json) => void]>([
    ['gateway', 'sends a header more', ({ calls }) => need('x-till')(calls['orders.http'].input)],
    ['gateway', 'has a route more', ({ operations }) => (operations['/till'] = operations['/printers'])],
    ['console', 'gives its pages a field more', ({ operations }) => need('more')(operations.System.reply)],
    ['console', 'calls what no service serves yet', ({ calls }) => (calls['orders.new'] = calls['orders.status'])],
  ])('safe: %s %s', (part, _what, change) => {
    expect(breaks(part, change)).toEqual([]);
  });

  test('a service that no release has may be deployed beside releases, and the next versions of the others beside it', () => {
    const before = Object.fromEntries(Object.entries(releases).filter(([part]) => part !== 'directory'));
    expect(
      breaksOf(
        parts.map((part) => surfaceOf(part, 'next')),
        before,
      ),
    ).toEqual([]);
  });
});
