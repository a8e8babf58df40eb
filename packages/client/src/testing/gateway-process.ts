import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { services } from '@corner/contracts';
import { builtProgram, until } from '@corner/testkit';

export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  kill(): Promise<void>;
}

/** Keys cannot be fetched from here, so the gateway counts every request by its address. */
const noIssuer = { AUTH_ISSUER: 'https://issuer.corner.test', AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks' };

export async function startGatewayProcess(upstream: string, port = 0): Promise<GatewayProcess> {
  const urls = Object.fromEntries(services.map((name) => [`${name.toUpperCase()}_URL`, upstream]));
  const child = spawn(process.execPath, [await builtProgram('services/gateway/src/main.ts')], {
    env: { PATH: process.env.PATH, ...urls, ...noIssuer, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const exited = once(child, 'exit');
  const listening = Number(await until(() => /"port":(\d+)/.exec(printed)?.[1], { describe: 'the gateway to listen' }));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { url: `http://127.0.0.1:${listening}`, port: listening, kill, [Symbol.asyncDispose]: kill };
}
