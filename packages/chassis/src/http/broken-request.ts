import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '@corner/contracts';
import { envelopeOfProblem } from './bodies.ts';

const maxHeaders = 100;

/** Milliseconds before a refused connection is closed: a client cut off while it still sends would never read the response. */
const lingerMs = 500;

/**
 * Returns why a request that Node accepts is refused, or null: framing or host that a proxy could read differently could hide another
 * request.
 */
export function breachOf({ headers, httpVersionMinor, rawHeaders }: IncomingMessage): Problem | null {
  if (rawHeaders.length > 2 * maxHeaders) return new Problem('HEADERS_TOO_LARGE');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== 'chunked'))
    return new Problem('MALFORMED_REQUEST', { message: 'Transfer-Encoding may be chunked, over HTTP/1.1, and nothing else.' });
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) return new Problem('MALFORMED_REQUEST', { message: 'A request names one Host.' });
  return null;
}

export function problemOfParser({ code = '' }: NodeJS.ErrnoException): Problem | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('HEADERS_TOO_LARGE');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new Problem('PAYLOAD_TOO_LARGE');
  // The program may have destroyed the connection itself: the code of an AbortError is a number.
  return String(code).startsWith('HPE_') ? new Problem('MALFORMED_REQUEST') : null;
}

export function closingResponse(problem: Problem, requestId: string, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify(envelopeOfProblem(problem, requestId));
  return {
    body,
    headers: {
      ...headers,
      ...problem.headers,
      'X-Request-Id': requestId,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      Connection: 'close',
    },
  };
}

export function respondOnWire(wire: Duplex, problem: Problem, requestId: string, headers?: Readonly<Record<string, string>>): void {
  const response = closingResponse(problem, requestId, headers);
  const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  wire.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${response.body}`);
  setTimeout(() => wire.destroy(), lingerMs).unref();
}
