import { type TcpProxy, tcpProxyTo } from '@corner/testkit';

/**
 * The round trips of one application's connections to Postgres. `url` is the server's address, with the port of the proxy that logs. `sent`
 * has an entry for each round trip: the prepared statement's name, or the text of a statement without one.
 */
export interface StatementLog extends AsyncDisposable {
  readonly url: string;
  readonly sent: readonly string[];
}

export async function logStatements(serverUrl: string, application: string): Promise<StatementLog> {
  const sent: string[] = [];
  const proxy: TcpProxy = await tcpProxyTo(serverUrl, { watch: () => readerOf(application, sent) });
  return { url: proxy.url, sent, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}

/** The first message has no type and names the application. */
function readerOf(application: string, sent: string[]): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isWanted: boolean | null = null;
  let statement = '';
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const start = isWanted === null ? 0 : 1;
      if (rest.length < start + 4) return;
      const end = start + rest.readInt32BE(start);
      if (rest.length < end) return;
      const type = String.fromCharCode(rest[0] ?? 0);
      const fields = rest
        .subarray(start + 4, end)
        .toString('latin1')
        .split('\0');
      rest = rest.subarray(end);
      if (isWanted === null) isWanted = fields.includes(application);
      else if (type === 'P') statement = fields[0] || (fields[1] ?? '');
      else if (type === 'B') statement = fields[1] || statement;
      else if (isWanted && type === 'Q') sent.push(fields[0] ?? '');
      else if (isWanted && type === 'S') sent.push(statement);
    }
  };
}
