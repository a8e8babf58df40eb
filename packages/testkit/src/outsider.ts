import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import fc from 'fast-check';

export interface Outsider extends AsyncDisposable {
  readonly url: string;
  respond: (request: string) => Buffer;
}

/** Uses TLS if it gets a certificate. Responds once a request's Content-Length has arrived, and closes the connection. */
export async function startOutsider(tls?: TlsOptions): Promise<Outsider> {
  const sockets = new Set<Socket>();
  const outsider = { respond: (_request: string): Buffer => Buffer.from('HTTP/1.1 204 No Content\r\n\r\n') };
  const meet = (socket: Socket) => {
    sockets.add(socket);
    let request = '';
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.on('data', (part) => {
      request += part.toString('latin1');
      if (isWhole(request)) socket.end(outsider.respond(request));
    });
  };
  const server = tls ? createTlsServer(tls, meet) : createServer(meet);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(outsider, {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = Number(/^content-length: *(\d+)/im.exec(request)?.[1] ?? 0);
  return /^transfer-encoding: *chunked/im.test(request) ? request.endsWith('\r\n0\r\n\r\n') : request.length - end - 4 >= length;
}

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

const statuses = [200, 200, 200, 201, 204, 302, 400, 401, 402, 403, 404, 409, 429, 500, 502, 503];
const framings = ['whole', 'whole', 'whole', 'cut', 'short', 'chunks', 'utf-16', 'noise'] as const;

/**
 * Returns possible responses: scalars, arrays, nulls, deep and long texts, invalid JSON, and the real body `valid` with one of its fields,
 * at any depth, missing or of another type.
 */
export const answers = (valid: object): fc.Arbitrary<Answer> =>
  fc
    .record({
      status: fc.constantFrom(...statuses),
      framing: fc.constantFrom(...framings),
      body: fc.oneof(fc.json(), fc.constantFrom(...sentences), spoilt(valid), spoilt(valid)),
    })
    .map(({ status, framing, body }) => ({ status, bytes: framed(status, framing, body) }));

const sentences = [
  '',
  'null',
  '1',
  '"upstream error"',
  'true',
  '[]',
  '[null]',
  '{}',
  '{"error":null}',
  '{"error":1}',
  '{"error":{}}',
  '{"error":"no"}',
  '{"error":{"type":1}}',
  '{"error":{"type":"api_error","message":{}}}',
  '{"object":"list","data":null,"has_more":true}',
  '{"data":[null]}',
  '{"object":"list","data":[1],"has_more":true}',
  '<html>Bad gateway</html>',
  '{"a":',
  '\ufeff{}',
  '{"__proto__":1}',
  '{"keys":null}',
  '{"keys":[null,1,{"kty":"EC"}]}',
  '{"reason":{}}',
  '{"code":{}}',
  '{"messages":[{}]}',
  '['.repeat(100_000),
  `"${'a'.repeat(2_000_000)}"`,
];

const spoilt = (valid: object): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(), fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 1 }))).map(([n, value]) => {
    const copy = structuredClone(valid) as Fields;
    const places = fieldsOf(copy);
    const [holder, name] = places[n % places.length] ?? [copy, 'none'];
    holder[name] = value;
    return JSON.stringify(copy);
  });

type Fields = Record<string, unknown>;

const fieldsOf = (holder: Fields): [Fields, string][] =>
  Object.entries(holder).flatMap(([name, value]) => [
    [holder, name] as [Fields, string],
    ...(typeof value === 'object' && value !== null ? fieldsOf(value as Fields) : []),
  ]);

function framed(status: number, framing: (typeof framings)[number], body: string): Buffer {
  const content = Buffer.from(body, framing === 'utf-16' ? 'utf16le' : 'utf8');
  const charset = framing === 'utf-16' ? '; charset=utf-16' : '';
  const head = `HTTP/1.1 ${status} X\r\nContent-Type: application/json${charset}\r\nConnection: close\r\nRetry-After: soon\r\n`;
  switch (framing) {
    case 'noise':
      return content;
    case 'cut':
      return Buffer.concat([Buffer.from(`${head}Content-Length: ${content.length + 7}\r\n\r\n`), content]);
    case 'short':
      return Buffer.concat([Buffer.from(`${head}Content-Length: ${Math.max(0, content.length - 1)}\r\n\r\n`), content]);
    case 'chunks':
      return Buffer.concat([
        Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${content.length.toString(16)}\r\n`),
        content,
        Buffer.from('\r\nz\r\n'),
      ]);
    default:
      return Buffer.concat([Buffer.from(`${head}Content-Length: ${content.length}\r\n\r\n`), content]);
  }
}
