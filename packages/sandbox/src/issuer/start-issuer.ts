import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createIssuer, type Issuer, type IssuerOptions } from './create-issuer.ts';

export interface IssuerServerOptions extends IssuerOptions {
  readonly host?: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** A listening server whose socket is taken over, instead of host and port. */
  readonly socket?: Server;
}

export interface RunningIssuer extends Issuer, AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly jwksUrl: string;
  stop(): Promise<void>;
}

/** Starts the development issuer's server, which publishes the public key. Rejects when the port is taken, and in production. */
export async function startIssuer(options: IssuerServerOptions = {}): Promise<RunningIssuer> {
  const issuer = await createIssuer(options);
  let jwksUrl = '';

  const server = createServer((request, response) => {
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/jwks.json': issuer.jwks,
      '/.well-known/openid-configuration': {
        issuer: issuer.issuer,
        jwks_uri: jwksUrl,
        id_token_signing_alg_values_supported: ['ES256'],
      },
      '/livez': { ok: true },
    };
    const path = new URL(request.url ?? '/', 'http://issuer').pathname;
    const document = request.method === 'GET' && Object.hasOwn(documents, path) ? documents[path] : undefined;
    response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' });
    response.end(JSON.stringify(document ?? { error: `Known are ${Object.keys(documents).join(', ')}.` }));
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.socket ?? { port: options.port ?? 0, host: options.host ?? '127.0.0.1' }, resolve),
  );
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  jwksUrl = `${url}/.well-known/jwks.json`;

  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  return { ...issuer, url, port, jwksUrl, stop, [Symbol.asyncDispose]: stop };
}
