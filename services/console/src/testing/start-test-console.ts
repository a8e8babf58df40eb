import { randomBytes } from 'node:crypto';
import { createLog } from '@corner/chassis/edge';
import { consoleClient, consoleClientId, consolePeople } from '@corner/sandbox/demo';
import { type RunningIssuer, startIssuer } from '@corner/sandbox/issuer';
import { type TcpProxy, tcpProxyTo, testBroker } from '@corner/testkit';
import { readConsoleConfig } from '../config.ts';
import { type Addition, startConsole } from '../console.ts';
import type { RunningServer } from '../http/serve-app.ts';
import { type Browser, openBrowser } from './browser.ts';

export const origin = 'https://console.corner.test';

export interface TestConsole extends AsyncDisposable {
  readonly running: RunningServer;
  readonly issuer: RunningIssuer;
  readonly wayToIssuer: TcpProxy;
  readonly nats: { readonly url: string; readonly namespace: string };
  readonly config: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
  open(): Browser;
}

export interface TestConsoleOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly additions?: (env: Readonly<Record<string, string>>) => readonly Addition[];
  readonly now?: () => Date;
  readonly nats?: { readonly url: string; readonly namespace: string };
}

export async function startTestConsole({
  env = {},
  additions = () => [],
  now = () => new Date(),
  nats,
}: TestConsoleOptions = {}): Promise<TestConsole> {
  await using started = new AsyncDisposableStack();
  const wayToIssuer = started.use(await tcpProxyTo('http://127.0.0.1:9'));
  const issuer = started.use(
    await startIssuer({ people: consolePeople, clients: [consoleClient([origin])], now, url: new URL(wayToIssuer.url).origin }),
  );
  wayToIssuer.redirect(`http://127.0.0.1:${issuer.port}`);
  const broker = nats ?? started.use(await testBroker());
  const config = {
    NODE_ENV: 'test',
    CONSOLE_URL: origin,
    GATEWAY_URL: 'http://127.0.0.1:9',
    NATS_URL: broker.url,
    NATS_NAMESPACE: broker.namespace,
    AUTH_ISSUER: issuer.issuer,
    AUTH_JWKS_URL: issuer.jwksUrl,
    CONSOLE_ISSUER: issuer.url,
    CONSOLE_CLIENT_ID: consoleClientId,
    CONSOLE_SESSION_KEYS: randomBytes(32).toString('base64'),
    RPC_DEADLINE_FACTOR: '5',
    GATEWAY_TIMEOUT_MS: '60000',
    ...env,
  };
  const lines: string[] = [];
  const log = createLog('console', 'trace', { write: (line) => void lines.push(line) });
  const running = started.use(await startConsole(readConsoleConfig(config), { additions: additions(config), log, now }));
  const owned = started.move();
  return {
    running,
    issuer,
    wayToIssuer,
    nats: broker,
    config,
    lines,
    open: () => openBrowser(running.url, origin),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
