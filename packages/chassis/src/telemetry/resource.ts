import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';

export interface ResourceOptions {
  readonly service: string;
  /** NODE_ENV. */
  readonly environment?: string | undefined;
  /** OTEL_RESOURCE_ATTRIBUTES. They win over the project's own. */
  readonly attributes?: Readonly<Record<string, string>>;
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };
/** The same for traces and metrics, so that a backend shows which are of one process. */
const instanceId = randomUUID();

/** Returns what all telemetry of this process says about it: which service, version and instance, and where it is deployed. */
export const resourceOf = ({ service, environment, attributes = {} }: ResourceOptions): Resource =>
  resourceFromAttributes({
    'service.version': version,
    'service.instance.id': instanceId,
    // The second is the name it had before; backends still look for either.
    ...(environment === undefined ? {} : { 'deployment.environment.name': environment, 'deployment.environment': environment }),
    ...attributes,
    'service.name': service,
  });
