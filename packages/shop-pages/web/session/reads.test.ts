import { CornerError } from '@corner/client';
import { expect, test } from '@jest/globals';
import { memoryStorage } from '../testing/fake-browser.ts';
import { type ReadRequest, shareRead } from './reads.ts';

const request = { path: '/api/v1/orders/stores', options: {}, live: false, ahead: false, keep: false, everyMs: 60_000 };
const lost = new CornerError({ code: 'UNREACHABLE', status: 0, message: 'No complete response arrived.', operation: undefined });

function readOf(change: Partial<ReadRequest>, reply: (signal: AbortSignal) => Promise<unknown>, storage = memoryStorage()) {
  const sent: { readonly signal: AbortSignal; readonly lastId: string | undefined; readonly stream: boolean }[] = [];
  type Options = { readonly signal: AbortSignal; readonly headers?: Record<string, string> };
  const send = ({ signal, headers }: Options, stream = false) => {
    sent.push({ signal, lastId: headers?.['Last-Event-ID'], stream });
    return reply(signal);
  };
  const client = {
    GET: async (_path: string, options: never) => ({ data: await send(options), etag: '"tag"' }),
    async *follow(_path: string, options: never) {
      yield await send(options, true);
      await send(options, true);
    },
  };
  const wait = (_ms: number, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const read = shareRead({ ...request, ...change }, { client: client as never, storage, customerId: () => null, wait });
  const until = (fits: () => boolean) =>
    new Promise<void>((resolve) => {
      const end = read.subscribe(() => fits() && resolve(end()));
      if (fits()) resolve();
    });
  return { read, sent, until };
}

for (const live of [false, true])
  test(`${live ? 'a followed' : 'a'} read that failed is sent again at once when the connection is back, whatever it waits for`, async () => {
    let online = false;
    const { read, until } = readOf({ live }, async () => (online ? 'new' : Promise.reject(lost)));
    const end = read.subscribe(() => {});
    await until(() => read.state().offline);
    expect(read.state()).toMatchObject({ data: undefined, stale: true });
    online = true;
    read.again();
    await until(() => read.state().data === 'new');
    expect(read.state()).toMatchObject({ stale: false, offline: false, error: undefined });
    end();
  });

test('a page whose stream is refused, since there is no room for another, has its data by a read, and asks for the stream again', async () => {
  const full = new CornerError({
    code: 'UPSTREAM_UNAVAILABLE',
    status: 503,
    message: 'All streams are open.',
    operation: undefined,
    retryAfter: 15,
  });
  const pauses: number[] = [];
  let asked = 0;
  const client = {
    GET: async () => ({ data: `read ${pauses.length}`, etag: '"tag"' }),
    // biome-ignore lint/correctness/useYield: it is refused
    async *follow() {
      asked += 1;
      throw full;
    },
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const wait = async (ms: number) => {
    pauses.push(ms);
    if (pauses.length === 3) resolve();
    if (pauses.length >= 3) await new Promise(() => {});
  };
  const environment = { client: client as never, storage: memoryStorage(), customerId: () => null, wait };
  const read = shareRead({ ...request, live: true }, environment);
  const end = read.subscribe(() => {});
  await promise;
  expect(read.state()).toMatchObject({ data: 'read 2', stale: false, error: undefined });
  expect([asked, pauses]).toEqual([3, [15_000, 15_000, 15_000]]);
  end();
});

test('a read is stale as soon as the browser has no connection, although its stream hangs without an error', async () => {
  const { read, sent, until } = readOf({ live: true }, async () => (sent.length % 2 === 1 ? 'state' : new Promise(() => {})));
  const end = read.subscribe(() => {});
  await until(() => read.state().data === 'state');
  read.lose();
  expect(read.state()).toMatchObject({ data: 'state', stale: true, offline: true });
  expect(sent.every(({ signal }) => signal.aborted)).toBe(true);
  read.again();
  await until(() => !read.state().stale);
  end();
});

test('a followed read whose connection hangs in silence is given up for another one', async () => {
  const replies: unknown[] = ['old', 'new'];
  const never = () => new Promise(() => {});
  const { read, sent, until } = readOf({ live: true }, async () => (sent.length % 2 === 1 ? replies.shift() : never()));
  const end = read.subscribe(() => {});
  await until(() => read.state().data === 'old');
  read.again();
  await until(() => read.state().data === 'new');
  expect(sent[0]?.signal.aborted).toBe(true);
  expect(sent.at(-1)?.signal.aborted).toBe(false);
  end();
  expect(sent.at(-1)?.signal.aborted).toBe(true);
});

test('what the browser was let ask for ahead is read once, and the stream spares that state; a later stream spares none', async () => {
  const { read, sent, until } = readOf({ live: true, ahead: true }, async () => 'menu');
  const end = read.subscribe(() => {});
  await until(() => sent.length >= 2);
  const { length } = sent;
  read.again();
  await until(() => sent.length > length);
  expect(sent.slice(0, 2).map(({ lastId }) => lastId)).toEqual([undefined, 'tag']);
  expect(sent.at(-1)?.lastId).toBeUndefined();
  end();
});

test('a returning customer too reads what was asked for ahead, and then follows: the browser would give that reply to the stream', async () => {
  const storage = memoryStorage();
  const change = { live: true, ahead: true, keep: true };
  const first = readOf(change, async () => 'menu', storage);
  const end = first.read.subscribe(() => {});
  await first.until(() => first.sent.length >= 2);
  end();
  const again = readOf(change, async () => 'menu', storage);
  expect(again.read.state()).toMatchObject({ data: 'menu', stale: true });
  const endAgain = again.read.subscribe(() => {});
  await again.until(() => again.sent.length >= 2);
  expect(again.sent.slice(0, 2).map(({ stream }) => stream)).toEqual([false, true]);
  endAgain();
});
