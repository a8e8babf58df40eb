import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

// A program of its own, started by empty-loop.ts. It responds to each request with its body, after sending it on to the given address, if
// any.

const next = process.argv[2];
const agent = new Agent({ keepAlive: true });

const ask = (url: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { 'content-length': Buffer.byteLength(body) } }, (response) => {
      text(response).then(resolve, reject);
    });
    sent.on('error', reject).end(body);
  });

const server = createServer(async (incoming, response) => {
  const received = await text(incoming);
  const body = next ? await ask(next, received) : JSON.stringify(JSON.parse(received));
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
});

server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('disconnect', () => process.exit());
