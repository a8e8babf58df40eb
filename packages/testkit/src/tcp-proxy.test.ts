import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TcpProxy, tcpProxyTo } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await tcpProxyTo(`tcp://127.0.0.1:${(echo.address() as AddressInfo).port}`);
});
afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  echo.close();
});

async function open() {
  const socket = connectTo(proxy).on('error', () => {});
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  return {
    socket,
    received: () => received,
    async echoes(word: string) {
      socket.write(word);
      while (!received.endsWith(word)) await once(socket, 'data');
    },
  };
}

const connectTo = ({ url }: TcpProxy) => connect(Number(new URL(url).port), '127.0.0.1');

const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

test('a frozen wire keeps what is sent, in order, and passes it on when it thaws', async () => {
  const caller = await open();
  await caller.echoes('one');
  proxy.freeze();
  caller.socket.write('two');
  expect(caller.received()).toBe('one');
  proxy.thaw();
  await caller.echoes('three');
  expect(caller.received()).toBe('onetwothree');
});

test('a cut wire ends its connections and new ones, until it is mended', async () => {
  const caller = await open();
  await caller.echoes('one');
  const closed = closeOf(caller.socket);
  proxy.cut();
  await closed;
  await closeOf(connectTo(proxy).on('error', () => {}));
  proxy.mend();
  await (await open()).echoes('two');
});

test('a stranded connection passes nothing on and stays open, and a new one works', async () => {
  const caller = await open();
  await caller.echoes('one');
  proxy.strand();
  caller.socket.write('two');
  await (await open()).echoes('three');
  expect([caller.received(), caller.socket.destroyed]).toEqual(['one', false]);
});
