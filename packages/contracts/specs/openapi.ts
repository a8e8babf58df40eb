import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import type { AnyOperation } from '../src/index.ts';
import { allowAdditionalProperties } from './allow-additional-properties.ts';
import { type Chapter, chapters } from './chapters.ts';
import { codeSamples } from './code-samples.ts';
import { ErrorEnvelope, errorExamples, errorResponses } from './error-responses.ts';
import { successExample } from './response-examples.ts';
import { entityTag, rateLimit, replayed, requestId } from './response-headers.ts';

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
    },
    { override: allowAdditionalProperties },
  );
}

/** The paths in the order of the chapters. An operation of a path that stood before is added to it. */
function paths(): ZodOpenApiPathsObject {
  const placed = chapters.flatMap((chapter) => chapter.operations.map((contract) => ({ chapter, contract })));
  return Object.fromEntries(
    [...Map.groupBy(placed, ({ contract }) => contract.path)].map(([path, here]) => [
      path,
      Object.fromEntries(here.map(({ chapter, contract }) => [contract.method.toLowerCase(), operation(contract, chapter)])),
    ]),
  );
}

function operation(contract: AnyOperation, chapter: Chapter): ZodOpenApiOperationObject {
  return {
    operationId: contract.name,
    tags: [chapter.name],
    summary: contract.summary,
    ...(contract.description ? { description: contract.description } : {}),
    security: contract.caller.optional ? [{}, { bearer: [] }] : [{ bearer: contract.caller.scope ? [contract.caller.scope] : [] }],
    requestParams: {
      header: z.object(headersOf(contract)),
      ...(contract.params ? { path: withExamples(contract.params, contract.example.params) } : {}),
      ...(contract.query ? { query: withExamples(contract.query, contract.example.query) } : {}),
    },
    ...(contract.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: contract.body, example: contract.example.body } } } }
      : {}),
    responses: {
      '200': successResponse(contract),
      ...(contract.revalidated ? { '304': unchanged } : {}),
      ...errorResponses(contract),
    },
    'x-callers': contract.caller.optional ? ['anyone', ...contract.caller.types] : [...contract.caller.types],
    ...(contract.limits ? { 'x-rate-limits': contract.limits } : {}),
    ...(contract.extension ? { 'x-extension': true } : {}),
    'x-codeSamples': codeSamples(contract),
    ...(contract.live ? { 'x-live': true } : {}),
  } as ZodOpenApiOperationObject;
}

const idempotencyKeys = {
  header:
    'A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again.',
  body: 'Accepted, as on every change. This operation recognises a repeat by the key in the body instead.',
};

function headersOf({ replay, revalidated, live, headers = {} }: AnyOperation): Record<string, z.ZodType> {
  return {
    'X-Request-Id': z.string().optional().describe('The id of the request in responses and logs. Generated when absent.'),
    ...(replay === 'none' ? {} : { 'Idempotency-Key': z.string().min(1).max(255).optional().describe(idempotencyKeys[replay]) }),
    ...(revalidated ? { 'If-None-Match': z.string().optional().describe('The ETag of the reply that the caller has.') } : {}),
    ...(live ? { 'Last-Event-ID': z.string().optional().describe('Of a stream: the id of the last event that the client has.') } : {}),
    ...Object.fromEntries(Object.entries(headers).map(([name, meaning]) => [name, z.string().optional().describe(meaning)])),
  };
}

/** The given parameters, each with its value from the contract's example. */
function withExamples(parameters: z.ZodObject, example: Readonly<Record<string, unknown>> = {}): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(parameters.shape).map(([name, schema]) => {
        const type = schema as z.ZodType;
        return [name, name in example ? type.meta({ ...type.meta(), param: { example: example[name] } }) : type];
      }),
    ),
  );
}

function successResponse(contract: AnyOperation): ZodOpenApiResponseObject {
  const example = successExample(contract.name);
  return {
    description: 'Success.',
    headers: z.object({
      ...requestId,
      ...rateLimit,
      ...(contract.replay === 'header' ? replayed : {}),
      ...(contract.revalidated ? entityTag : {}),
    }),
    content: {
      'application/json': { schema: contract.reply, ...(example === undefined ? {} : { example }) },
      ...(contract.live ? { 'text/event-stream': changes } : {}),
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

const unchanged: ZodOpenApiResponseObject = {
  id: 'Unchanged',
  description: 'The reply is the one that If-None-Match names. There is no body.',
  headers: z.object({ ...requestId, ...rateLimit, ...entityTag }),
};
