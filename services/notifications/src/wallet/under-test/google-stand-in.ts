import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The Wallet API as far as it is used: classes and objects are made by POST, changed by PATCH, and refused without a token. */
export interface GoogleStandIn extends AsyncDisposable {
  readonly url: string;
  /** By kind and id. */
  readonly kept: ReadonlyMap<string, Record<string, unknown>>;
  /** Requests still to be answered 503. */
  failing: number;
  /** Awaited before each answer. */
  holding: Promise<void>;
}

export async function startGoogleStandIn(): Promise<GoogleStandIn> {
  const kept = new Map<string, Record<string, unknown>>();
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Record<string, unknown>;
    const [, kind = '', id] = /^\/walletobjects\/v1\/(loyaltyClass|loyaltyObject)(?:\/(.+))?$/.exec(request.url ?? '') ?? [];
    const name = `${kind}/${id ?? body.id}`;
    const answer = (status: number) => response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    if (!request.headers.authorization?.startsWith('Bearer ya29.')) return answer(401);
    await standIn.holding;
    if (standIn.failing > 0) {
      standIn.failing -= 1;
      return answer(503);
    }
    if (kind === '' || (request.method === 'PATCH') !== (id !== undefined)) return answer(400);
    if (request.method === 'PATCH' && !kept.has(name)) return answer(404);
    if (request.method === 'POST' && kept.has(name)) return answer(409);
    if (request.method === 'POST' && kind === 'loyaltyObject' && !kept.has(`loyaltyClass/${body.classId}`)) return answer(404);
    kept.set(name, { ...kept.get(name), ...body });
    return answer(200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: GoogleStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    failing: 0,
    holding: Promise.resolve(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return standIn;
}
