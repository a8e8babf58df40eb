import { createLog } from '@corner/chassis/edge';
import { services } from '@corner/contracts';
import { readGatewayConfig } from '../config.ts';
import { type Overrides, type RunningGateway, startGateway } from '../gateway.ts';

/** An issuer whose keys cannot be fetched, so no token can be verified unless a test hands over the keys. */
export const noIssuer = { AUTH_ISSUER: 'https://issuer.corner.test', AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks' };

/** Starts a gateway in front of one upstream that stands in for every service, unless `env` names another address for one. */
export function startTestGateway(
  upstream: { readonly url: string },
  env: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<RunningGateway> {
  const urls = Object.fromEntries(services.map((service) => [`${service.toUpperCase()}_URL`, upstream.url]));
  // On a busy machine a response may take long to begin; a test of this limit sets its own.
  const patient = { UPSTREAM_TIMEOUT_MS: '120000' };
  return startGateway(readGatewayConfig({ ...patient, ...noIssuer, ...urls, ...env }), {
    log: createLog('gateway', 'silent'),
    ...overrides,
  });
}
