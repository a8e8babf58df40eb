import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { type AnyOperation, operations } from '../src/index.ts';
import { allowAdditionalProperties } from './allow-additional-properties.ts';
import { ErrorEnvelope, errorExamples, errorResponses } from './error-responses.ts';
import { rateLimit, replayed, requestId } from './response-headers.ts';

/** The public interface as an OpenAPI 3.1 document, made from the schemas that validate requests. */
export function openapi() {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Corner',
        version: '1',
        description:
          'Orders, loyalty, the walk-in queue and notification preferences of independent shops. Money is integer pence; instants are ISO 8601 in UTC.\n\nA refusal marked final will never be lifted: the same request is refused again, whatever happens later. Any other refusal may pass, and the same request, under the same Idempotency-Key, may then be accepted.',
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'orders', description: 'Placing, paying, preparing, delaying and refunding orders.' },
        { name: 'loyalty', description: 'Stamps, vouchers, and the codes and taps that earn stamps.' },
        { name: 'queue', description: 'A store’s queue of walk-in customers.' },
        { name: 'notifications', description: 'What each customer is notified about, by store.' },
      ],
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

function paths(): ZodOpenApiPathsObject {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, contracts]) => [
      path,
      Object.fromEntries(contracts.map((contract) => [contract.method.toLowerCase(), operation(contract)])),
    ]),
  );
}

function operation(contract: AnyOperation): ZodOpenApiOperationObject {
  return {
    operationId: contract.name,
    tags: [contract.service],
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
    responses: { '200': successResponse(contract), ...errorResponses(contract) },
    'x-callers': contract.caller.optional ? ['anyone', ...contract.caller.types] : [...contract.caller.types],
    ...(contract.limits ? { 'x-rate-limits': contract.limits } : {}),
    ...(contract.extension ? { 'x-extension': true } : {}),
  } as ZodOpenApiOperationObject;
}

const idempotencyKeys = {
  header:
    'A repeat with the same key returns the first response again, for 24 hours, when that was a success or a final refusal. After any other response a repeat runs the operation again.',
  body: 'Accepted, as on every change. This operation recognises a repeat by the key in the body instead.',
};

function headersOf({ replay, headers = {} }: AnyOperation): Record<string, z.ZodType> {
  return {
    'X-Request-Id': z.string().optional().describe('The id of the request in responses and logs. Generated when absent.'),
    ...(replay === 'none' ? {} : { 'Idempotency-Key': z.string().min(1).max(255).optional().describe(idempotencyKeys[replay]) }),
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
  return {
    description: 'Success.',
    headers: z.object({ ...requestId, ...rateLimit, ...(contract.replay === 'header' ? replayed : {}) }),
    content: { 'application/json': { schema: contract.reply } },
  };
}
