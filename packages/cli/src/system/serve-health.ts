import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Serves `/livez` and `/readyz` at PORT, and at HOST or every address, for a command that runs until it is stopped. `/readyz` is 503 with the
 * sentences of `faults` while there are any. Rejects when the port is taken. Disposal ends it.
 */
export async function serveHealth({ PORT, HOST }: NodeJS.ProcessEnv, faults: () => readonly string[]): Promise<AsyncDisposable> {
  const server = createServer(({ url }, response) => {
    const found = url === '/readyz' ? faults() : [];
    const status = url !== '/livez' && url !== '/readyz' ? 404 : found.length > 0 ? 503 : 200;
    const body = status === 404 ? 'not found' : found.length > 0 ? 'unavailable' : 'ok';
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status: body, faults: found }));
  });
  await once(server.listen(Number(PORT), HOST), 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
