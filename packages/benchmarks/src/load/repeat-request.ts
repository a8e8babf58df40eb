import { connect, type Socket } from 'node:net';

/** One request that is sent again and again. */
export interface RepeatedRequest {
  readonly url: string;
  /** POST where there is a body, else GET. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of a load. */
export interface Repeated {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds of each request. */
  readonly took: readonly number[];
}

interface RepeatOptions {
  /** Taken in turns. All go to the same host. */
  readonly requests: readonly RepeatedRequest[];
  readonly concurrency: number;
  /** The whole number of requests. */
  readonly times: number;
}

/**
 * Sends requests over kept-alive connections, one at a time on each, and reads the responses as bytes: a generator that costs a tenth of
 * Node's HTTP client, so that it is a small part of what is measured. Throws at the first response that is not a 200 with a
 * Content-Length.
 */
export async function repeatRequests({ requests, concurrency, times }: RepeatOptions): Promise<Repeated> {
  const { hostname, port } = new URL(requests[0]?.url ?? '');
  const bytes = requests.map(bytesOf);
  const took: number[] = [];
  let begun = 0;
  const startedAt = performance.now();
  const worker = async (): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    try {
      await exchange(socket, {
        next: () => (begun < times ? bytes[begun++ % bytes.length] : undefined),
        onResponse: (ms) => took.push(ms),
      });
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, times) }, worker));
  return { requests: took.length, perSecond: took.length / ((performance.now() - startedAt) / 1000), took };
}

interface Exchange {
  /** The bytes of the next request; undefined after the last. */
  readonly next: () => Buffer | undefined;
  readonly onResponse: (ms: number) => void;
}

function exchange(socket: Socket, { next, onResponse }: Exchange): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    let missing: number | null = null;
    let sentAt = 0;
    const send = (): void => {
      const request = next();
      if (!request) return resolve();
      received = '';
      missing = null;
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk: string) => {
      if (missing === null) {
        received += chunk;
        missing = missingOf(received);
        if (Number.isNaN(missing)) return reject(new Error(`unexpected response: ${received.slice(0, 2_000)}`));
      } else missing -= chunk.length;
      if (missing !== 0) return;
      onResponse(performance.now() - sentAt);
      send();
    });
    send();
  });
}

/** The bytes of a response's body that are yet to come; null while its head is not complete, NaN when it is not a 200 of known length. */
function missingOf(received: string): number | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  if (!received.startsWith('HTTP/1.1 200 ')) return Number.NaN;
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(received.slice(0, end + 2))?.[1];
  return length === undefined ? Number.NaN : end + 4 + Number(length) - received.length;
}

function bytesOf({ url, body, headers = {} }: RepeatedRequest): Buffer {
  const { host, pathname, search } = new URL(url);
  const lines = { Host: host, ...headers, ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }) };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n${body ?? ''}`);
}
