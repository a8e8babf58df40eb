import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { perProgram } from '../async/per-program.ts';

export interface ResourceOptions {
  readonly service: string;
  /** The version of the service that runs; absent where it does not matter. */
  readonly version?: string;
  readonly environment?: string | undefined;
  /** OTEL_RESOURCE_ATTRIBUTES. They win over the project's own. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The same for traces and metrics, so that a backend shows which are of one program. */
const instance = perProgram(() => ({ id: randomUUID() }));

/** Returns the attributes of all telemetry of this program: service, version, instance and environment. */
export const resourceOf = ({ service, version, environment, attributes = {} }: ResourceOptions): Resource =>
  resourceFromAttributes({
    ...(version === undefined ? {} : { 'service.version': version }),
    'service.instance.id': instance().id,
    // The second is the older name; backends still look for either.
    ...(environment === undefined ? {} : { 'deployment.environment.name': environment, 'deployment.environment': environment }),
    ...attributes,
    'service.name': service,
  });

/** Returns the version that the package in a folder has, which a release raises; `unknown` where there is no package. */
export function versionIn(folder: string): string {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version : 'unknown';
}

/** Returns the running version: that of OTEL_RESOURCE_ATTRIBUTES, else that of the package in a folder. */
export const runningVersion = (attributes: Readonly<Record<string, string>>, folder: string): string =>
  attributes['service.version'] ?? versionIn(folder);
