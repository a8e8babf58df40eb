import {
  type AnyOperation,
  type AnyRpc,
  access,
  Envelope,
  type EventContract,
  events,
  type OperationContract,
  operations,
  type Producer,
  rpcs,
  type ServiceName,
} from '@corner/contracts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/** An operation, as an app depends on it. */
export interface OperationSurface {
  readonly method: string;
  readonly path: string;
  /** Kinds of token, and `anyone` where none is needed. */
  readonly callers: readonly string[];
  /** The scope that a token must have; null for none. */
  readonly scope: string | null;
  readonly replay: OperationContract['replay'];
  /** What else an app may count on: `etag`, `live`, and each further header that is read. */
  readonly features: readonly string[];
  /** The parts of a request, as the service accepts them: params, query, body. */
  readonly request: Readonly<Record<string, JsonSchema>>;
  /** The body of the success, as the service sends it. */
  readonly reply: JsonSchema;
}

/** An RPC, from one side. */
export interface RpcSurface {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** What every event is sent in, and what is accepted of it. */
export interface EnvelopeSurface {
  readonly sent: JsonSchema;
  readonly accepted: JsonSchema;
}

/** All that others can notice of a version of a service: what it offers, and what it needs of others. Events are named `type/vN`. */
export interface Surface {
  readonly service: ServiceName;
  readonly version: string;
  readonly envelope: EnvelopeSurface;
  readonly operations: Readonly<Record<string, OperationSurface>>;
  /** The events that it publishes: the data that it sends. */
  readonly publishes: Readonly<Record<string, JsonSchema>>;
  /** The events that it handles: the data that it accepts. */
  readonly consumes: Readonly<Record<string, JsonSchema>>;
  /** The RPCs that it serves: input that it accepts, output that it sends. */
  readonly serves: Readonly<Record<string, RpcSurface>>;
  /** The RPCs that it calls: input that it sends, output that it accepts. */
  readonly calls: Readonly<Record<string, RpcSurface>>;
}

/** Returns what others can notice of a service, by the contracts of this checkout. */
export function surfaceOf(service: ServiceName, version: string): Surface {
  const published = events.filter(({ producers }) => producers.includes(service));
  return {
    service,
    version,
    envelope: { sent: fromSource(jsonSchemaOf(Envelope, 'sent'), service), accepted: jsonSchemaOf(Envelope, 'accepted') },
    operations: record(
      operations.filter((contract) => contract.service === service).map((contract) => [contract.name, operationOf(contract)]),
    ),
    publishes: record(published.map((event) => [nameOf(event), jsonSchemaOf(event.data, 'sent')])),
    consumes: record(access[service].consumes.map((event) => [nameOf(event), jsonSchemaOf(event.data, 'accepted')])),
    serves: record(rpcs.filter((rpc) => rpc.service === service).map((rpc) => [rpc.name, rpcOf(rpc, 'accepted', 'sent')])),
    calls: record(access[service].calls.map((rpc) => [rpc.name, rpcOf(rpc, 'sent', 'accepted')])),
  };
}

const nameOf = ({ type, version }: EventContract): string => `${type}/v${version}`;

/** The envelope of one producer's events: the schema names all producers, and one more of them breaks no one. */
export const fromSource = (envelope: JsonSchema, producer: Producer): JsonSchema => ({
  ...envelope,
  properties: { ...envelope.properties, source: { const: `/${producer}` } },
});

/** In the order of names, so that a file changes only where a contract does. */
const record = <T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

const rpcOf = (rpc: AnyRpc, input: 'sent' | 'accepted', output: 'sent' | 'accepted'): RpcSurface => ({
  input: jsonSchemaOf(rpc.input, input),
  output: jsonSchemaOf(rpc.output, output),
});

function operationOf({ method, path, caller, replay, revalidated, live, headers, reply, ...request }: AnyOperation): OperationSurface {
  const parts = Object.entries({ params: request.params, query: request.query, body: request.body });
  return {
    method,
    path,
    callers: [...(caller.optional ? ['anyone'] : []), ...caller.types],
    scope: caller.scope ?? null,
    replay,
    features: [...(revalidated ? ['etag'] : []), ...(live ? ['live'] : []), ...Object.keys(headers ?? {}).map((name) => `header ${name}`)],
    request: Object.fromEntries(parts.flatMap(([part, schema]) => (schema ? [[part, jsonSchemaOf(schema, 'accepted')]] : []))),
    reply: jsonSchemaOf(reply, 'sent'),
  };
}
