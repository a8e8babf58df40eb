import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { requiredServices } from '@corner/contracts';
import { startIssuer } from '@corner/sandbox/issuer';
import { checkout } from '@corner/sandbox/system';
import { openConnections, runLoad } from '../load/run-load.ts';
import { type Program, startProgram } from '../load/start-program.ts';
import { type Finding, rowsOf } from '../report/figures.ts';
import { processSeconds } from '../system/processor-time.ts';
import type { PartOptions } from './part.ts';

const concurrency = 16;
const callers = 400;
const bodyBytes = 1024;

interface Proxied {
  readonly perSecond: number;
  readonly microseconds: number;
}

interface Round {
  readonly gateway: Proxied;
  readonly nginx: Proxied;
}

/**
 * Alternates with nginx as a plain proxy of one process. The gateway verifies a token, counts against limits and logs; nginx does not: it
 * is the lower bound.
 */
export async function measureGateway({ repetitions, seconds, log }: PartOptions): Promise<Finding[]> {
  if (!(await hasNginx())) {
    log('the gateway is not measured: nginx is not installed');
    return [];
  }
  await using issuer = await startIssuer();
  await using upstream = await startStaticServer(JSON.stringify({ order: 'x'.repeat(bodyBytes - '{"order":""}'.length) }));
  await using nginx = await startPlainProxy(upstream.url);
  await using gateway = await startGateway(upstream.url, { AUTH_ISSUER: issuer.issuer, AUTH_JWKS_URL: issuer.jwksUrl });
  const tokens = await Promise.all(
    Array.from({ length: callers }, () => issuer.token({ typ: 'customer', sub: randomUUID(), ttlSeconds: 3600 })),
  );
  const rounds: Round[] = [];
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    const round = { nginx: await readThrough(nginx, tokens, seconds), gateway: await readThrough(gateway, tokens, seconds) };
    if (repetition > 0) rounds.push(round);
    log(
      `gateway ${repetition}/${repetitions}: ${Math.round(round.gateway.perSecond)}/s and ${round.gateway.microseconds.toFixed(0)} µs, ` +
        `nginx ${Math.round(round.nginx.perSecond)}/s and ${round.nginx.microseconds.toFixed(0)} µs`,
    );
  }
  const row = rowsOf(rounds, `gateway, 1 KB of JSON, valid token, ${concurrency} at once: `);
  return [
    row('throughput beside nginx', 'ratio', 'more', (r) => r.gateway.perSecond / r.nginx.perSecond, { at: 'least', value: 0.38 }),
    row('throughput', 'requests/s', 'more', (r) => r.gateway.perSecond),
    row('processor of the gateway', 'µs a request', 'less', (r) => r.gateway.microseconds),
    row('processor, nginx / gateway', 'ratio', 'more', (r) => r.nginx.microseconds / r.gateway.microseconds),
  ];
}

const startGateway = (upstream: string, auth: Readonly<Record<string, string>>): Promise<Program> =>
  startProgram(async (port) => ({
    command: process.execPath,
    args: ['--max-semi-space-size=32', `${checkout}/services/gateway/src/main.ts`],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      ...auth,
      ...Object.fromEntries(requiredServices.map((service) => [`${service.toUpperCase()}_URL`, upstream])),
    },
  }));

async function readThrough({ url, pid }: Program, tokens: readonly string[], seconds: number): Promise<Proxied> {
  using connections = await openConnections(url, concurrency);
  const path = `/api/v1/orders/${randomUUID()}`;
  const used = processSeconds(pid);
  let sent = 0;
  const { count, perSecond } = await runLoad({ concurrency, seconds }, async (worker) => {
    sent += 1;
    const headers = { authorization: `Bearer ${tokens[sent % tokens.length]}`, accept: 'application/json' };
    const { status } = await connections.of(worker).send({ method: 'GET', path, headers });
    if (status !== 200) throw new Error(`${url} responded ${status}`);
  });
  return { perSecond, microseconds: ((processSeconds(pid) - used) / count) * 1e6 };
}

async function hasNginx(): Promise<boolean> {
  return await promisify(execFile)('nginx', ['-v']).then(
    () => true,
    () => false,
  );
}

const startStaticServer = (json: string): Promise<Program> =>
  startNginx('access_log off;', `default_type application/json; return 200 '${json}';`);

const startPlainProxy = (upstream: string): Promise<Program> =>
  startNginx(
    `access_log FOLDER/access.log; upstream behind { server ${new URL(upstream).host}; keepalive 64; keepalive_requests 1000000; }`,
    'proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection "";',
  );

async function startNginx(http: string, location: string): Promise<Program> {
  const folder = await mkdtemp(`${tmpdir()}/corner-nginx-`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path FOLDER/${name};`).join(' ');
  return await startProgram(async (port) => {
    const settings = `daemon off; master_process off; pid FOLDER/pid; error_log FOLDER/error.log; events { worker_connections 1024; }
      http { ${paths} keepalive_requests 1000000; ${http} server { listen 127.0.0.1:${port}; location / { ${location} } } }`;
    await writeFile(`${folder}/nginx.conf`, settings.replaceAll('FOLDER', folder));
    return { command: 'nginx', args: ['-c', `${folder}/nginx.conf`] };
  });
}
