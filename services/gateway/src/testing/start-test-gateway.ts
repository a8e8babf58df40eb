import { createLog } from '@corner/chassis/edge';
import { services } from '@corner/contracts';
import { readGatewayConfig } from '../config.ts';
import { type Overrides, type RunningGateway, startGateway } from '../gateway.ts';

/** An issuer whose keys cannot be fetched, so no token can be verified unless a test hands over the keys. */
export const noIssuer = { AUTH_ISSUER: 'https://issuer.corner.test', AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks' };

/**
 * Starts a gateway whose services are all `upstream`, unless `env` names another address for one. The response timeout is long because of
 * busy machines; a test of it sets its own.
 */
export function startTestGateway(
  upstream: { readonly url: string },
  env: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<RunningGateway> {
  const urls = Object.fromEntries(services.map((service) => [`${service.toUpperCase()}_URL`, upstream.url]));
  const patient = { UPSTREAM_TIMEOUT_MS: '120000' };
  return startGateway(readGatewayConfig({ ...patient, ...noIssuer, ...urls, ...env }), {
    log: createLog('gateway', 'silent'),
    ...overrides,
  });
}
