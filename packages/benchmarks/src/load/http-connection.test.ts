import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { openHttpConnection } from './http-connection.ts';

async function startServer(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = await openHttpConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    server,
    connection,
    [Symbol.dispose]() {
      connection[Symbol.dispose]();
      server.close();
    },
  };
}

const echo: RequestListener = async (request, response) => {
  const body = `${request.method} ${request.url} ${request.headers['x-a']} ${await text(request)}`;
  response.writeHead(201, { 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, 5));
  setImmediate(() => response.end(body.slice(5)));
};

test('requests go one after another over one connection, and responses arrive whole', async () => {
  using started = await startServer(echo);
  const opened: unknown[] = [];
  started.server.on('connection', (socket) => opened.push(socket));
  for (const body of ['one', 'zwölf', '']) {
    const response = await started.connection.send({ method: 'POST', path: '/p', headers: { 'x-a': 'b' }, body });
    expect(response).toEqual({ status: 201, body: `POST /p b ${body}`, etag: null });
  }
  expect(opened).toHaveLength(0);
});

test('a connection that the server closed in a pause is opened again', async () => {
  using started = await startServer(echo);
  await started.connection.send({ method: 'GET', path: '/1' });
  const closed = new Promise((resolve) => started.server.once('connection', resolve));
  started.server.closeAllConnections();
  while (true) {
    const response = await started.connection.send({ method: 'GET', path: '/2' }).catch(() => null);
    if (response?.status === 201) break;
  }
  await closed;
});

test('a request fails when the connection ends before its response, and when a response has no length', async () => {
  using cut = await startServer((request) => request.socket.destroy());
  await expect(cut.connection.send({ method: 'GET', path: '/' })).rejects.toThrow('ended before the response');
  using chunked = await startServer((_request, response) => {
    response.write('part');
    response.end();
  });
  await expect(chunked.connection.send({ method: 'GET', path: '/' })).rejects.toThrow('without a length');
});
