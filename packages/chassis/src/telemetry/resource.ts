import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { perProgram } from '../async/per-program.ts';

export interface ResourceOptions {
  readonly service: string;
  readonly version?: string;
  readonly environment?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The same for traces and metrics, so that a backend can match those of one program. */
const instance = perProgram(() => ({ id: randomUUID() }));

/** OTEL_RESOURCE_ATTRIBUTES override the project's own attributes. */
export const resourceOf = ({ service, version, environment, attributes = {} }: ResourceOptions): Resource =>
  resourceFromAttributes({
    ...(version === undefined ? {} : { 'service.version': version }),
    'service.instance.id': instance().id,
    // The second is the older name; backends still look for either.
    ...(environment === undefined ? {} : { 'deployment.environment.name': environment, 'deployment.environment': environment }),
    ...attributes,
    'service.name': service,
  });

export function versionIn(folder: string): string {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version : 'unknown';
}

/** Returns the version in OTEL_RESOURCE_ATTRIBUTES, else that of the package in a folder. */
export const runningVersion = (attributes: Readonly<Record<string, string>>, folder: string): string =>
  attributes['service.version'] ?? versionIn(folder);
