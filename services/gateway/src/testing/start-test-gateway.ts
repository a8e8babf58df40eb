import { createLog } from '@corner/chassis/edge';
import { services } from '@corner/contracts';
import { readGatewayConfig } from '../config.ts';
import { type Overrides, type RunningGateway, startGateway } from '../gateway.ts';

/** Starts a gateway in front of one upstream that stands in for every service, unless `env` names another address for one. */
export function startTestGateway(
  upstream: { readonly url: string },
  env: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<RunningGateway> {
  const urls = Object.fromEntries(services.map((service) => [`${service.toUpperCase()}_URL`, upstream.url]));
  return startGateway(readGatewayConfig({ ...urls, ...env }), { log: createLog('gateway', 'silent'), ...overrides });
}
