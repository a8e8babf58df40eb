import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import {
  type AnyOperation,
  commonProblems,
  needsVersion,
  oauthErrorOf,
  oauthErrors,
  operations,
  type ProblemCode,
  problems,
  replayProblems,
  versionProblems,
} from '../src/index.ts';
import { refusalBody, refusalMessage } from './examples.ts';
import { rateLimit, requestId, retryAfter } from './response-headers.ts';

/** The JSON body of every response that is not 200. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.string().describe('What went wrong, for programs. The meaning of a code never changes; new codes may be added.'),
      message: z.string().describe('What went wrong, for people. It may name the field and the fix.'),
      requestId: z.string().describe('The id of the request, as in the X-Request-Id header.'),
      total_pence: z.int().optional().describe('Of PRICE_CHANGED, the total now.'),
      ready_from: z.string().optional().describe('Of READY_LATER, the quarter of an hour in which it would be ready.'),
    }),
  })
  .meta({ id: 'Error', description: 'The body of every response that is not 200.' });

/** The JSON body of every response of a token endpoint that is not 200. */
const OauthError = z
  .object({
    error: z.enum(oauthErrors).describe('What went wrong, as in RFC 6749, for libraries of OAuth.'),
    error_description: z.string().describe('What went wrong, for people.'),
    code: z.string().describe('What went wrong, by the codes of the other operations.'),
    requestId: z.string().describe('The id of the request, as in the X-Request-Id header.'),
  })
  .meta({ id: 'OauthError', description: 'The body of every response of a token endpoint that is not 200.' });

/** One example body for each problem code that an operation with the common envelope may return, under components.examples. */
export function errorExamples() {
  const requestId = '0190a000-0000-7000-8000-00000000cafe';
  const returned = new Set(operations.flatMap((contract) => (contract.oauthClient ? [] : [...codesOf(contract)])));
  return Object.fromEntries(
    allCodes.flatMap((code) => {
      const { message, cause, fix, final } = problems[code];
      const value = refusalBody(code, refusalMessage(code) ?? message, requestId);
      return returned.has(code) ? [[code, { summary: `${cause} ${fix}`, 'x-final': final, value }]] : [];
    }),
  );
}

/**
 * The responses of an operation for its problems, by status. A response that several operations share, or that has one
 * code, is a component under components.responses, named by its codes. Any other response stays in its operation.
 */
export function errorResponses(contract: AnyOperation): ZodOpenApiResponsesObject {
  const response = contract.oauthClient ? oauthResponse : errorResponse;
  return Object.fromEntries(codesByStatus(contract).map(([status, codes]) => [String(status), response(status, codes)]));
}

function codesByStatus(contract: AnyOperation): [status: number, codes: ProblemCode[]][] {
  return [...Map.groupBy(codesOf(contract), (code) => problems[code].status)].sort(([a], [b]) => a - b);
}

const codesOf = (contract: AnyOperation): Set<ProblemCode> =>
  new Set([
    ...contract.problems,
    ...commonProblems,
    ...(contract.replay === 'header' ? replayProblems : []),
    ...(needsVersion(contract) ? versionProblems : []),
    ...(contract.caller.partner ? (['INSUFFICIENT_SCOPE'] as const) : []),
  ]);

/** Every problem code of the interface. */
export const allCodes = Object.keys(problems) as readonly ProblemCode[];

/** Each code with its status, and whether it proves that nothing was done. */
export const outcomesByCode = () =>
  allCodes.map((code) => ({ code, status: problems[code].status, nothingDone: problems[code].nothingDone }));

/** The codes of the problems that each operation may return, by the operation's name. */
export const codesByOperation = (): Readonly<Record<string, readonly ProblemCode[]>> =>
  Object.fromEntries(operations.map((contract) => [contract.name, [...codesOf(contract)].sort()]));

/** A name that OpenAPI allows as a component's, for example `WRONG_TOKEN_TYPE-or-STORE_FORBIDDEN`. */
const nameOf = (codes: readonly ProblemCode[]): string => codes.join('-or-');

const operationsByName = Map.groupBy(
  operations.flatMap((contract) => codesByStatus(contract).map(([, codes]) => nameOf(codes))),
  (name) => name,
);
const components = new Map<string, ZodOpenApiResponseObject>();

function errorResponse(status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const name = nameOf(codes);
  const shared = codes.length === 1 || (operationsByName.get(name)?.length ?? 0) > 1;
  if (!shared) return describeResponse(status, codes);
  const component = components.get(name) ?? { id: name, ...describeResponse(status, codes) };
  components.set(name, component);
  return component;
}

function oauthResponse(status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const exampleOf = (code: ProblemCode) => ({
    value: oauthErrorOf({ code, message: refusalMessage(code) ?? problems[code].message }, '0190a000-0000-7000-8000-00000000cafe'),
  });
  const examples = Object.fromEntries(codes.map((code) => [code, exampleOf(code)]));
  return { ...describeResponse(status, codes), content: { 'application/json': { schema: OauthError, examples } } };
}

function describeResponse(status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `${code}${problems[code].final ? ' (final)' : ''}: ${problems[code].message}`).join('\n\n'),
    headers: z.object({ ...requestId, ...(status === 429 ? rateLimit : {}), ...(status === 429 || status === 503 ? retryAfter : {}) }),
    content: {
      'application/json': {
        schema: ErrorEnvelope,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
