import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Place, serve } from '../http/serve.ts';
import { createIssuer, type Issuer, type IssuerOptions } from './create-issuer.ts';
import { discoveryDocument, jwksPath } from './openid/discovery.ts';
import { type Means, openIdEndpoints } from './openid/endpoints.ts';
import { createGrants } from './openid/grants.ts';
import type { OpenIdClient, Person } from './openid/people-and-clients.ts';

export interface IssuerServerOptions extends IssuerOptions, Place {
  readonly people?: readonly Person[];
  readonly clients?: readonly OpenIdClient[];
  readonly url?: string | undefined;
  readonly pagesUrl?: string | undefined;
}

export interface RunningIssuer extends Issuer, AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly jwksUrl: string;
  stop(): Promise<void>;
}

/** `url` is the issuer's address for other processes, and `pagesUrl` for browsers. Rejects when the port is taken, and in production. */
export async function startIssuer(options: IssuerServerOptions = {}): Promise<RunningIssuer> {
  const issuer = await createIssuer(options);
  const { people = [], clients = [], now = () => new Date() } = options;
  const grants = createGrants(now);
  let means: Means | undefined;

  const server = await serve(options, (request, response) => {
    if (means) void answer(request, response, means, issuer).catch(() => response.writeHead(500).end());
  });
  const { port } = server;
  const url = options.url ?? `http://127.0.0.1:${port}`;
  means = { url, pagesUrl: options.pagesUrl ?? url, grants, people: [...people], clients, now, tokens: issuer };

  const stop = async () => await server[Symbol.asyncDispose]();
  return { ...issuer, url, port, jwksUrl: `${url}${jwksPath}`, stop, [Symbol.asyncDispose]: stop };
}

async function answer(request: IncomingMessage, response: ServerResponse, means: Means, { jwks }: Issuer): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://issuer');
  const called = `${request.method} ${pathname}`;
  const endpoint = Object.hasOwn(openIdEndpoints, called) ? openIdEndpoints[called] : undefined;
  if (endpoint) return await endpoint(request, response, searchParams, means);

  const documents: Readonly<Record<string, object>> = {
    [`GET ${jwksPath}`]: jwks,
    'GET /.well-known/openid-configuration': discoveryDocument(means),
    'GET /livez': { ok: true },
  };
  const document = Object.hasOwn(documents, called) ? documents[called] : undefined;
  const known = [...Object.keys(documents), ...Object.keys(openIdEndpoints)].join(', ');
  response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' });
  response.end(JSON.stringify(document ?? { error: `Known are ${known}.` }));
}
