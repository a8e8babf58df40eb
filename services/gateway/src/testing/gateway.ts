import { createLog } from '@corner/chassis/edge';
import { services } from '@corner/contracts';
import { readGatewayConfig } from '../config.ts';
import { type GatewayOverrides, type RunningGateway, startGateway } from '../gateway.ts';

/** A gateway before one upstream that stands in for every service, or before those `env` names. */
export function gatewayBefore(
  upstream: { readonly url: string },
  env: Readonly<Record<string, string>> = {},
  held: GatewayOverrides = {},
): Promise<RunningGateway> {
  const urls = Object.fromEntries(services.map((service) => [`${service.toUpperCase()}_URL`, upstream.url]));
  return startGateway(readGatewayConfig({ ...urls, ...env }), { log: createLog('gateway', 'silent'), ...held });
}
