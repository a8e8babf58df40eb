import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { addHealth, beginRequest, createLog, type Log, type Program } from '@corner/chassis/edge';
import { indexOperations, operations, Problem, picturesPath } from '@corner/contracts';
import type { Request } from 'express';
import { type Admitted, forwardOperations } from '../forwarding/forward-operations.ts';
import { refuseForeignOrigins, setSecurityHeaders } from '../http/protect-pages.ts';
import { sendProblems } from '../http/send-problems.ts';
import { createApp, createEnding, type RunningServer, serveApp } from '../http/serve-app.ts';
import { addPages, builtPages } from '../pages/add-pages.ts';
import { addAccounts } from './add-accounts.ts';
import { readStorefrontConfig, type StorefrontConfig } from './config.ts';
import { addSettings, policyOf } from './payments.ts';
import { createHints } from './preloads.ts';

/**
 * Starts the server of the pages that customers open, and resolves when it listens. It stores nothing: it serves the pages, forwards the
 * operations of customers with the token that the browser sends, and helps a page to sign a customer in. Disposal drains.
 */
export async function startStorefront(config: StorefrontConfig, options: StorefrontOptions = {}): Promise<RunningServer> {
  const { now = () => new Date(), newId = randomUUID, log = createLog('storefront', config.LOG_LEVEL) } = options;
  await using started = new AsyncDisposableStack();
  started.defer(() => log.info('stopped'));
  const ending = createEnding();
  const app = createApp(config.TRUSTED_PROXIES, setSecurityHeaders(policyOf(config)));
  addHealth(app, { service: 'storefront', draining: ending.draining, needs: {} });
  app.use(beginRequest({ log, newId }));
  app.use(refuseForeignOrigins(config.SHOP_URL));
  const { GATEWAY_URL: gatewayUrl, GATEWAY_TIMEOUT_MS: timeoutMs, MAX_STREAMS: maxStreams } = config;
  const forwarding = { gatewayUrl, timeoutMs, maxBodyBytes, maxStreams, admit: admitCustomer, now, stopping: ending.stopping };
  started.use(forwardOperations(app, forwarding));
  addSettings(app, config);
  addAccounts(app, config, { log, now });
  addPages(app, config.SHOP_PAGES ?? join(builtPages, 'shop'), createHints(gatewayUrl));
  sendProblems(app, log);
  return await serveApp(app, { config, log, newId, started, ending });
}

const maxBodyBytes = 64 * 1024;

const findOperation = indexOperations(operations.filter(({ caller }) => caller.types.includes('customer')));

const picture = new RegExp(`^${picturesPath}/\\w+$`);

/** The gateway verifies the token. Throws ROUTE_NOT_FOUND for all but customers' operations and pictures. */
function admitCustomer({ method, path, headers }: Request): Admitted {
  const isPicture = (method === 'GET' || method === 'HEAD') && picture.test(path);
  if (!isPicture && !findOperation(method, path)) throw new Problem('ROUTE_NOT_FOUND');
  return { authorization: headers.authorization, caller: null, endsAt: null };
}

export interface StorefrontOptions {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly log?: Log;
}

export const storefrontProgram: Program<StorefrontConfig> = {
  name: 'storefront',
  readConfig: readStorefrontConfig,
  start: (config) => startStorefront(config),
};
