import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { type AnyOperation, commonProblems, operations, type ProblemCode, problems, replayProblems } from '../src/index.ts';

const ErrorEnvelope = z
  .object({ error: z.object({ code: z.string(), message: z.string(), requestId: z.string() }) })
  .meta({ id: 'Error', description: 'Every refusal has this shape.' });

/** The public interface as OpenAPI 3.1, from the very schemas that validate. */
export function openapi() {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Corner',
      version: '1',
      description:
        'Orders, loyalty, the walk-in queue and notification preferences of independent shops. Money is integer pence; instants are ISO 8601 in UTC.',
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'orders' }, { name: 'loyalty' }, { name: 'queue' }, { name: 'notifications' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: ErrorEnvelope },
    },
    paths: paths(),
  });
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
  const headers = {
    'X-Request-Id': z.string().optional().meta({ description: 'Names the request in answers and logs; made when absent.' }),
    ...(contract.replay === 'header'
      ? {
          'Idempotency-Key': z
            .string()
            .min(1)
            .max(255)
            .optional()
            .meta({ description: 'The same key gives the first answer again, for 24 hours.' }),
        }
      : {}),
  };
  return {
    operationId: contract.name,
    tags: [contract.service],
    summary: contract.summary,
    ...(contract.description ? { description: contract.description } : {}),
    security: contract.caller.optional ? [{}, { bearer: [] }] : [{ bearer: contract.caller.scope ? [contract.caller.scope] : [] }],
    requestParams: {
      header: z.object(headers),
      ...(contract.params ? { path: contract.params } : {}),
      ...(contract.query ? { query: contract.query } : {}),
    },
    ...(contract.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: contract.body, example: contract.example.body } } } }
      : {}),
    responses: responses(contract),
    'x-callers': contract.caller.optional ? ['anyone', ...contract.caller.types] : [...contract.caller.types],
    ...(contract.limits ? { 'x-rate-limits': contract.limits } : {}),
    ...(contract.extension ? { 'x-extension': true } : {}),
  } as ZodOpenApiOperationObject;
}

function responses(contract: AnyOperation): ZodOpenApiResponsesObject {
  const codes: ProblemCode[] = [...contract.problems, ...commonProblems, ...(contract.replay === 'header' ? replayProblems : [])];
  const byStatus = Map.groupBy([...new Set(codes)], (code) => problems[code].status);
  const refusals = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, named]) => [
      String(status),
      {
        description: named.map((code) => `${code}: ${problems[code].message}`).join('\n\n'),
        content: {
          'application/json': {
            schema: ErrorEnvelope,
            example: { error: { code: named[0], message: problems[named[0] as ProblemCode].message, requestId: '0190…' } },
          },
        },
      },
    ]);
  return { '200': { description: 'Done.', content: { 'application/json': { schema: contract.reply } } }, ...Object.fromEntries(refusals) };
}
