import * as consoleApi from '@corner/console-api';
import {
  type AnyOperation,
  type AnyRpc,
  access,
  callsOf,
  type Deprecated,
  Envelope,
  type EventContract,
  events,
  ForwardedHeaders,
  type OperationContract,
  operations,
  type Producer,
  publicEvents,
  routes,
  rpcsOf,
  type ServiceName,
  services,
  webhookBodyOf,
} from '@corner/contracts';
import { z } from 'zod';
import type { Deprecations } from './deprecations.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/** The parts that have versions. The command line calls as the console does, so it has none of its own. */
export const parts = [...services, 'gateway', 'console'] as const;
export type Part = (typeof parts)[number];
export const isService = (part: Part): part is ServiceName => services.some((service) => service === part);

export interface OperationSurface {
  readonly method: string;
  readonly path: string;
  readonly callers: readonly string[];
  readonly scope: string | null;
  readonly role: string | null;
  readonly replay: OperationContract['replay'];
  /** `etag`, `live`, and each further header that is read. */
  readonly features: readonly string[];
  readonly request: Readonly<Record<string, JsonSchema>>;
  readonly reply: JsonSchema;
}

export interface RpcSurface {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

export interface EnvelopeSurface {
  readonly sent: JsonSchema;
  readonly accepted: JsonSchema;
}

/**
 * All that others can notice of a version of a part: its offers and its needs. Events are named `type/vN`. The schemas of `publishes`,
 * `webhooks`, replies served and requests called are of values sent; the others are of values accepted. An absent part is empty.
 */
export interface Surface {
  readonly service: Part;
  readonly version: string;
  readonly envelope: EnvelopeSurface;
  readonly operations: Readonly<Record<string, OperationSurface>>;
  readonly publishes: Readonly<Record<string, JsonSchema>>;
  readonly webhooks?: Readonly<Record<string, JsonSchema>>;
  readonly consumes: Readonly<Record<string, JsonSchema>>;
  readonly serves: Readonly<Record<string, RpcSurface>>;
  readonly calls: Readonly<Record<string, RpcSurface>>;
  readonly deprecated?: Deprecations;
}

export function surfaceOf(part: Part, version: string): Surface {
  if (isService(part)) return surfaceOfService(part, version);
  const envelope = jsonSchemaOf(Envelope, 'accepted');
  const own = part === 'gateway' ? surfaceOfGateway() : surfaceOfConsole();
  return { service: part, version, envelope: { sent: {}, accepted: envelope }, publishes: {}, consumes: {}, serves: {}, ...own };
}

const surfaceOfGateway = (): Pick<Surface, 'operations' | 'calls'> => ({
  operations: record(
    routes.map(({ prefix, service, kind }) => [
      prefix,
      { ...plain, path: prefix, features: [`service ${service}`, `kind ${kind}`], reply: {} },
    ]),
  ),
  calls: record(services.map((service) => callOf(forwarding(service)))),
});

const surfaceOfConsole = (): Pick<Surface, 'operations' | 'calls'> => ({
  operations: record(
    Object.entries(consoleApi).flatMap(([name, schema]): [string, OperationSurface][] => {
      if (!(schema instanceof z.ZodType)) return [];
      const isBody = consoleApi.requestBodies.has(schema);
      const request = isBody ? { body: jsonSchemaOf(schema, 'accepted') } : {};
      return [[name, { ...plain, request, reply: isBody ? {} : jsonSchemaOf(schema, 'sent') }]];
    }),
  ),
  calls: record(
    services.flatMap((service) =>
      rpcsOf(service)
        .filter(({ operator }) => operator)
        .map(callOf),
    ),
  ),
});

const plain = { method: 'any', path: '', callers: [], scope: null, role: null, replay: 'none', features: [], request: {} } as const;

const forwarding = (service: ServiceName) => ({ name: `${service}.http`, input: ForwardedHeaders, output: z.unknown() });

function surfaceOfService(service: ServiceName, version: string): Surface {
  const published = events.filter(({ producers }) => producers.includes(service));
  const sentToWebhooks = service === 'notifications' ? publicEvents : [];
  const offered = operations.filter((contract) => contract.service === service);
  const marked = [
    ...offered.map((contract): [string, Deprecated | undefined] => [contract.name, contract.deprecated]),
    ...[...published, ...sentToWebhooks.map(({ event }) => event)].map((event): [string, Deprecated | undefined] => [
      nameOf(event),
      event.deprecated,
    ]),
  ].flatMap(([name, mark]): [string, Deprecated][] => (mark ? [[name, mark]] : []));
  return {
    service,
    version,
    envelope: { sent: fromSource(jsonSchemaOf(Envelope, 'sent'), service), accepted: jsonSchemaOf(Envelope, 'accepted') },
    operations: record(offered.map((contract) => [contract.name, operationOf(contract)])),
    publishes: record(published.map((event) => [nameOf(event), jsonSchemaOf(event.data, 'sent')])),
    ...(sentToWebhooks.length > 0
      ? { webhooks: record(sentToWebhooks.map((event) => [nameOf(event.event), jsonSchemaOf(webhookBodyOf(event), 'sent')])) }
      : {}),
    consumes: record(access[service].consumes.map((event) => [nameOf(event), jsonSchemaOf(event.data, 'accepted')])),
    serves: record([...rpcsOf(service), forwarding(service)].map((rpc) => [rpc.name, rpcOf(rpc, 'accepted', 'sent')])),
    calls: record(callsOf(service).map(callOf)),
    ...(marked.length > 0 ? { deprecated: record(marked) } : {}),
  };
}

const callOf = (rpc: Called): [string, RpcSurface] => [rpc.name, rpcOf(rpc, 'sent', 'accepted')];

const nameOf = ({ type, version }: EventContract): string => `${type}/v${version}`;

/** The envelope of one producer's events: the schema names all producers, and one more of them breaks no one. */
export const fromSource = (envelope: JsonSchema, producer: Producer): JsonSchema => ({
  ...envelope,
  properties: { ...envelope.properties, source: { const: `/${producer}` } },
});

/** Sorted by name, so that a file changes only where a contract does. */
const record = <T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

type Called = Pick<AnyRpc, 'name' | 'input' | 'output'>;

const rpcOf = (rpc: Called, input: 'sent' | 'accepted', output: 'sent' | 'accepted'): RpcSurface => ({
  input: jsonSchemaOf(rpc.input, input),
  output: jsonSchemaOf(rpc.output, output),
});

function operationOf({ method, path, caller, replay, revalidated, live, headers, reply, ...request }: AnyOperation): OperationSurface {
  const parts = Object.entries({ params: request.params, query: request.query, body: request.body });
  return {
    method,
    path,
    callers: [...(caller.optional ? ['anyone'] : []), ...caller.types, ...(caller.partner ? [`partner with ${caller.partner}`] : [])],
    scope: caller.scope ?? null,
    role: caller.role ?? null,
    replay,
    features: [...(revalidated ? ['etag'] : []), ...(live ? ['live'] : []), ...Object.keys(headers ?? {}).map((name) => `header ${name}`)],
    request: Object.fromEntries(parts.flatMap(([part, schema]) => (schema ? [[part, jsonSchemaOf(schema, 'accepted')]] : []))),
    reply: jsonSchemaOf(reply, 'sent'),
  };
}
