import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { type ListeningServer, listenHttp } from './http-server.ts';

const sockets: ReturnType<typeof connect>[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function send(server: ListeningServer, text: string): Promise<ReturnType<typeof connect>> {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return socket;
}

test('a drain ends in bounded time although a caller never sends the rest of its body', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const app = express().use((_request, _response, next) => {
    resolve();
    next();
  }, express.json());
  const server = await listenHttp(app, { host: '127.0.0.1', port: 0, graceMs: 200 });
  await send(server, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half":');
  await arrived;
  await expect(server.drain()).resolves.toBeUndefined();
});

test('a drain closes a kept-alive connection once its last response has ended', async () => {
  const server = await listenHttp((_request, response) => response.end('well'), { host: '127.0.0.1', port: 0 });
  const socket = await send(server, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await server.drain();
  await closed;
});

test('a response that the program itself aborts closes its connection, and the next request is answered', async () => {
  const aborted = new AbortController();
  aborted.abort();
  const server = await listenHttp(
    (request, response) => {
      if (request.url === '/aborted') response.destroy(aborted.signal.reason as Error);
      else response.end('well');
    },
    { host: '127.0.0.1', port: 0 },
  );
  await expect(fetch(`${server.url}/aborted`)).rejects.toThrow('fetch failed');
  expect(await (await fetch(server.url)).text()).toBe('well');
  await server.drain();
});
