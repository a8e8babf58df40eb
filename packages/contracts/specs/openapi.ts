import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { type AnyOperation, describeDeprecation, needsVersion } from '../src/index.ts';
import { allowAdditionalProperties } from './asyncapi.ts';
import { type Chapter, chapters } from './chapters.ts';
import { ErrorEnvelope, errorExamples, errorResponses } from './error-responses.ts';
import { successExample } from './examples.ts';
import { jsonText } from './json-text.ts';
import { deprecation, entityTag, rateLimit, replayed, requestId } from './response-headers.ts';
import { webhooks } from './webhooks.ts';

/** The text of openapi.json. The committed file must equal it. */
export const openapiText = (): string => jsonText(openapi());

/** The public interface as an OpenAPI 3.1 document, made from the schemas that validate requests. */
export function openapi() {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Corner',
        version: '1',
        description:
          'Orders, loyalty, the walk-in queue and notification preferences of independent shops. Money is integer pence; instants are ISO 8601 in UTC.\n\nA final refusal is never lifted: the same request is refused again, whatever happens later. Any other refusal may be lifted: then the same request, with the same Idempotency-Key, is accepted.',
      },
      servers: [{ url: '/' }],
      tags: chapters.map(({ name, description }) => ({ name, description })),
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
        schemas: { Error: ErrorEnvelope },
        examples: errorExamples(),
      },
      paths: paths(),
      webhooks: webhooks(),
    },
    { override: forReaders },
  );
}

/** The paths in the order of the chapters. An operation of a path that stood before is added to it. */
function paths(): ZodOpenApiPathsObject {
  const placed = chapters.flatMap((chapter) => chapter.operations.map((contract) => ({ chapter, contract })));
  return Object.fromEntries(
    [...Map.groupBy(placed, ({ contract }) => contract.path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map(({ chapter, contract }) => [contract.method.toLowerCase(), describeOperation(contract, chapter)])),
    ]),
  );
}

/** The description, which of a deprecated operation begins with that. */
function describedAs({ description, deprecated }: AnyOperation) {
  const text = [deprecated ? describeDeprecation(deprecated) : [], description ?? []].flat().join('\n\n');
  return { ...(text === '' ? {} : { description: text }), ...(deprecated ? { deprecated: true, 'x-deprecated': deprecated } : {}) };
}

/** Describes an operation for the document. */
export function describeOperation(contract: AnyOperation, chapter: Chapter): ZodOpenApiOperationObject {
  return {
    operationId: contract.name,
    tags: [chapter.name],
    summary: contract.summary,
    ...describedAs(contract),
    security: contract.caller.optional ? [{}, { bearer: [] }] : [{ bearer: contract.caller.scope ? [contract.caller.scope] : [] }],
    requestParams: {
      header: z.object(headersOf(contract)),
      ...(contract.params ? { path: withExamples(contract.params, contract.example.params) } : {}),
      ...(contract.query ? { query: withExamples(contract.query, contract.example.query) } : {}),
    },
    ...(contract.body ? { requestBody: { required: true, content: bodyContent(contract) } } : {}),
    responses: {
      '200': successResponse(contract),
      ...(isRevalidated(contract) ? { '304': unchanged } : {}),
      ...errorResponses(contract),
    },
    'x-callers': [
      ...(contract.caller.optional ? ['anyone'] : []),
      ...contract.caller.types,
      ...(contract.caller.partner ? ['partner'] : []),
    ],
    ...(contract.caller.partner ? { 'x-partner-scope': contract.caller.partner } : {}),
    ...(contract.caller.role ? { 'x-role': contract.caller.role } : {}),
    ...(contract.limits ? { 'x-rate-limits': contract.limits } : {}),
    ...(contract.extension ? { 'x-extension': true } : {}),
    ...(contract.live ? { 'x-live': true } : {}),
  } as ZodOpenApiOperationObject;
}

function bodyContent({ body, example, oauthClient }: AnyOperation) {
  const media = { schema: body, example: example.body };
  return { 'application/json': media, ...(oauthClient ? { 'application/x-www-form-urlencoded': media } : {}) };
}

/** Leaves out what clients may not or need not check: that there are no other fields, and a pattern that only repeats the format. */
function forReaders(context: Parameters<typeof allowAdditionalProperties>[0]): void {
  allowAdditionalProperties(context);
  const { jsonSchema } = context;
  if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}

const keyOf = (id: string, description: string) => z.string().min(1).max(255).optional().meta({ param: { id, description } });
const idempotencyKey = {
  header: keyOf(
    'Idempotency-Key',
    'A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again.',
  ),
  body: keyOf(
    'Idempotency-Key-beside-body',
    'Accepted, as on every change. This operation recognises a repeat by the key in the body instead.',
  ),
};

/** Returns whether a request may name the reply that the caller has, and get 304 for it. */
const isRevalidated = ({ revalidated, versioned, method }: AnyOperation): boolean =>
  revalidated === true || (versioned === true && method === 'GET');

function headersOf(contract: AnyOperation): Record<string, z.ZodType> {
  const { replay, live, headers = {} } = contract;
  return {
    'X-Request-Id': sharedHeader('X-Request-Id', 'The id of the request in responses and logs. Generated when absent.'),
    ...(replay === 'none' ? {} : { 'Idempotency-Key': idempotencyKey[replay] }),
    ...(isRevalidated(contract) ? { 'If-None-Match': sharedHeader('If-None-Match', 'The ETag of the reply that the caller has.') } : {}),
    ...(needsVersion(contract) ? { 'If-Match': ifMatch } : {}),
    ...(live ? { 'Last-Event-ID': sharedHeader('Last-Event-ID', 'Of a stream: the id of the last event that the client has.') } : {}),
    ...Object.fromEntries(Object.entries(headers).map(([name, meaning]) => [name, asParameter(z.string().optional().describe(meaning))])),
  };
}

const ifMatch = z.string().meta({
  param: {
    id: 'If-Match',
    description: 'The ETag of the version that the change is made to, such as `"17"`; `*` for whatever version there is.',
    example: '"17"',
  },
});

/** A header that many operations take. It is a component under components.parameters, so each description is there once. */
function sharedHeader(id: string, description: string): z.ZodType {
  const header = sharedHeaders.get(id) ?? z.string().optional().meta({ param: { id, description } });
  sharedHeaders.set(id, header);
  return header;
}

const sharedHeaders = new Map<string, z.ZodType>();

/** The given parameters, each with its value from the contract's example. */
function withExamples(parameters: z.ZodObject, example: Readonly<Record<string, unknown>> = {}): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(parameters.shape).map(([name, schema]) => [
        name,
        asParameter(schema as z.ZodType, name in example ? { example: example[name] } : {}),
      ]),
    ),
  );
}

/** The type as a parameter, whose description is the parameter's and not the schema's too. */
function asParameter(type: z.ZodType, more: { readonly example?: unknown } = {}): z.ZodType {
  const { description, ...meta } = type.meta() ?? {};
  return type.meta({ ...meta, description: undefined, param: { ...more, ...(description ? { description } : {}) } });
}

function successResponse(contract: AnyOperation): ZodOpenApiResponseObject {
  const example = successExample(contract.name);
  return {
    description: 'Success.',
    headers: z.object({
      ...requestId,
      ...rateLimit,
      ...(contract.replay === 'none' ? {} : replayed),
      ...(contract.revalidated || contract.versioned ? entityTag : {}),
      ...(contract.deprecated ? deprecation : {}),
    }),
    content: {
      'application/json': { schema: contract.reply, ...(example === undefined ? {} : { example }) },
      ...(contract.live ? { 'text/event-stream': changes } : {}),
      ...(contract.csv ? { 'text/csv': table } : {}),
      ...(contract.pdf ? { 'application/pdf': paper } : {}),
    },
  };
}

/** A stream is described as text: OpenAPI 3.1 has no words for the events in it. */
const changes = {
  schema: z.string().meta({
    id: 'Changes',
    description:
      'Server-sent events: the reply as JSON in `data` at once, and again whenever it has changed. `id` names the state; a client that comes back with Last-Event-ID gets the reply only when it differs. Ten streams may be open for a caller.',
  }),
};

const table = {
  schema: z.string().meta({
    id: 'Table',
    description:
      'The reply as CSV (RFC 4180), with a line of names first. Amounts are in the major unit of the currency; a text that a spreadsheet would take for a formula begins with an apostrophe.',
  }),
};

const paper = {
  schema: z.string().meta({ id: 'Paper', format: 'binary', description: 'The reply to be printed, as PDF on A4.' }),
};

const unchanged: ZodOpenApiResponseObject = {
  id: 'Unchanged',
  description: 'The reply is the one that If-None-Match names. There is no body.',
  headers: z.object({ ...requestId, ...rateLimit, ...entityTag }),
};
