import { createLog } from '@corner/chassis/edge';
import type { RunningServer } from '../http/serve-app.ts';
import { readStorefrontConfig } from '../storefront/config.ts';
import { startStorefront } from '../storefront/storefront.ts';

export const shopOrigin = 'https://shop.corner.test';

export interface TestStorefront extends AsyncDisposable {
  readonly running: RunningServer;
  readonly lines: readonly string[];
  send(path: string, init?: RequestInit & { readonly headers?: Record<string, string> }): Promise<Response>;
}

/** Nothing listens at its gateway unless `env` names one. `now` is the time of its limits. */
export async function startTestStorefront(env: Readonly<Record<string, string>> = {}, now?: () => Date): Promise<TestStorefront> {
  const lines: string[] = [];
  const log = createLog('storefront', 'trace', { write: (line) => void lines.push(line) });
  const config = readStorefrontConfig({ NODE_ENV: 'test', SHOP_URL: shopOrigin, GATEWAY_URL: 'http://127.0.0.1:9', ...env });
  const running = await startStorefront(config, { log, ...(now ? { now } : {}) });
  return {
    running,
    lines,
    send: (path, init = {}) => fetch(`${running.url}${path}`, { ...init, headers: { origin: shopOrigin, ...init.headers } }),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
