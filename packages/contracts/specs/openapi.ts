import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { type AnyOperation, commonProblems, operations, type ProblemCode, problems, replayProblems } from '../src/index.ts';
import { openToMore } from './open-to-more.ts';

const ErrorEnvelope = z
  .object({ error: z.object({ code: z.string(), message: z.string(), requestId: z.string() }) })
  .meta({ id: 'Error', description: 'Every refusal has this shape.' });

/** The public interface as OpenAPI 3.1, from the very schemas that validate. */
export function openapi() {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Corner',
        version: '1',
        description:
          'Orders, loyalty, the walk-in queue and notification preferences of independent shops. Money is integer pence; instants are ISO 8601 in UTC.',
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'orders', description: 'Placing, paying, cooking, delaying and refunding.' },
        { name: 'loyalty', description: 'Stamps, vouchers and what proves that somebody was there.' },
        { name: 'queue', description: 'The line of those who walked in.' },
        { name: 'notifications', description: 'What a customer wants to hear about, and where.' },
      ],
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
        schemas: { Error: ErrorEnvelope },
        examples: refusalExamples(),
      },
      paths: paths(),
    },
    { override: openToMore },
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
    responses: responses(contract),
    'x-callers': contract.caller.optional ? ['anyone', ...contract.caller.types] : [...contract.caller.types],
    ...(contract.limits ? { 'x-rate-limits': contract.limits } : {}),
    ...(contract.extension ? { 'x-extension': true } : {}),
  } as ZodOpenApiOperationObject;
}

const idempotencyKeys = {
  header: 'The same key gives the first answer again, for 24 hours.',
  body: 'Welcome, as on every change; here the key in the body is the one that counts.',
};

function headersOf({ replay, headers = {} }: AnyOperation): Record<string, z.ZodType> {
  return {
    'X-Request-Id': z.string().optional().describe('Names the request in answers and logs; made when absent.'),
    ...(replay === 'none' ? {} : { 'Idempotency-Key': z.string().min(1).max(255).optional().describe(idempotencyKeys[replay]) }),
    ...Object.fromEntries(Object.entries(headers).map(([name, meaning]) => [name, z.string().optional().describe(meaning)])),
  };
}

/** The same parameters, each with its value in the contract's example. */
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

const answered = (name: string, description: string) =>
  z
    .string()
    .optional()
    .meta({ header: { id: name, description } });
const requestId = { 'X-Request-Id': answered('X-Request-Id', 'Names the request; quote it when asking for help.') };
const replayed = { 'Idempotent-Replayed': answered('Idempotent-Replayed', '`true` when this is the first answer given again.') };
const retryAfter = { 'Retry-After': answered('Retry-After', 'Seconds after which a repeat makes sense.') };
const rateLimit = {
  'RateLimit-Policy': answered('RateLimit-Policy', 'The quotas that apply, as draft-ietf-httpapi-ratelimit-headers-10 writes them.'),
  RateLimit: answered('RateLimit', 'What is left of each quota, and the seconds until there is more.'),
};

function responses(contract: AnyOperation): ZodOpenApiResponsesObject {
  const byHeader = contract.replay === 'header';
  const codes: ProblemCode[] = [...contract.problems, ...commonProblems, ...(byHeader ? replayProblems : [])];
  const byStatus = [...Map.groupBy(new Set(codes), (code) => problems[code].status)].sort(([a], [b]) => a - b);
  return {
    '200': {
      description: 'Done.',
      headers: z.object({ ...requestId, ...rateLimit, ...(byHeader ? replayed : {}) }),
      content: { 'application/json': { schema: contract.reply } },
    },
    ...Object.fromEntries(byStatus.map(([status, named]) => [String(status), refusal(status, named)])),
  };
}

/** Every refusal as it is answered, by its code. */
function refusalExamples() {
  const requestId = '0190a000-0000-7000-8000-00000000cafe';
  return Object.fromEntries(
    Object.entries(problems).map(([code, { message, cause, fix }]) => [
      code,
      { summary: `${cause} ${fix}`, value: { error: { code, message, requestId } } },
    ]),
  );
}

function refusal(status: number, codes: readonly ProblemCode[]) {
  return {
    description: codes.map((code) => `${code}: ${problems[code].message}`).join('\n\n'),
    headers: z.object({ ...requestId, ...(status === 429 ? rateLimit : {}), ...(status === 429 || status === 503 ? retryAfter : {}) }),
    content: {
      'application/json': {
        schema: ErrorEnvelope,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
