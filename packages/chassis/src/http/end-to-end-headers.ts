import type { IncomingHttpHeaders } from 'node:http';

export type Headers = Record<string, string | string[]>;

/** Headers of the connection, not of the message (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const setByProxies: readonly string[] = [
  'host',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
];

/** Returns the headers that a proxy passes on: without those of the connection, those that `connection` names, and those in `excluded`. */
export function endToEnd(headers: IncomingHttpHeaders, excluded: ReadonlySet<string>): Headers {
  const ofConnection = namedByConnection(headers.connection);
  const result: Headers = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !hopByHop.has(name) && !excluded.has(name) && !ofConnection?.includes(name)) result[name] = value;
  }
  return result;
}

function namedByConnection(connection: string | string[] | undefined): readonly string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return String(connection)
    .split(',')
    .map((name) => name.trim().toLowerCase());
}
