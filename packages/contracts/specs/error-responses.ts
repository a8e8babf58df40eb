import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type AnyOperation, commonProblems, operations, type ProblemCode, problems, replayProblems } from '../src/index.ts';
import { refusalExample } from './response-examples.ts';
import { rateLimit, requestId, retryAfter } from './response-headers.ts';

/** The JSON body of every response that is not 200. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.string().describe('What went wrong, for programs. The meaning of a code never changes; new codes may be added.'),
      message: z.string().describe('What went wrong, for people. It may name the field and the fix.'),
      requestId: z.string().describe('The id of the request, as in the X-Request-Id header.'),
    }),
  })
  .meta({ id: 'Error', description: 'The body of every response that is not 200.' });

/** One example body for each problem code, under components.examples. */
export function errorExamples() {
  const requestId = '0190a000-0000-7000-8000-00000000cafe';
  return Object.fromEntries(
    Object.entries(problems).map(([code, { message, cause, fix, final }]) => [
      code,
      {
        summary: `${cause} ${fix}`,
        'x-final': final,
        value: refusalExample('*', code as ProblemCode) ?? { error: { code, message, requestId } },
      },
    ]),
  );
}

/**
 * The responses of an operation for its problems, by status. A response that several operations share, or that has one
 * code, is a component under components.responses, named by its codes. Any other response stays in its operation, as does one of which the
 * operation has an example of its own.
 */
export function errorResponses(contract: AnyOperation): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    codesByStatus(contract).map(([status, codes]) => [String(status), errorResponse(contract.name, status, codes)]),
  );
}

function codesByStatus(contract: AnyOperation): [status: number, codes: ProblemCode[]][] {
  return [...Map.groupBy(codesOf(contract), (code) => problems[code].status)].sort(([a], [b]) => a - b);
}

const codesOf = ({ problems: own, replay }: AnyOperation): Set<ProblemCode> =>
  new Set([...own, ...commonProblems, ...(replay === 'header' ? replayProblems : [])]);

/** Every problem code of the interface. */
export const allCodes = Object.keys(problems) as readonly ProblemCode[];

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

function errorResponse(operation: string, status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const own = codes.filter((code) => refusalExample(operation, code) !== undefined);
  if (own.length > 0) return describeResponse(status, codes, (code) => exampleOf(operation, code));
  const name = nameOf(codes);
  const shared = codes.length === 1 || (operationsByName.get(name)?.length ?? 0) > 1;
  if (!shared) return describeResponse(status, codes);
  const component = components.get(name) ?? { id: name, ...describeResponse(status, codes) };
  components.set(name, component);
  return component;
}

/** The refusal as the operation returned it, or a reference to the one for all operations. */
function exampleOf(operation: string, code: ProblemCode) {
  const value = refusalExample(operation, code);
  const { cause, fix, final } = problems[code];
  return value === undefined ? sharedExample(code) : { summary: `${cause} ${fix}`, 'x-final': final, value };
}

const sharedExample = (code: ProblemCode) => ({ $ref: `#/components/examples/${code}` });

function describeResponse(
  status: number,
  codes: readonly ProblemCode[],
  example: (code: ProblemCode) => object = sharedExample,
): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `${code}${problems[code].final ? ' (final)' : ''}: ${problems[code].message}`).join('\n\n'),
    headers: z.object({ ...requestId, ...(status === 429 ? rateLimit : {}), ...(status === 429 || status === 503 ? retryAfter : {}) }),
    content: {
      'application/json': {
        schema: ErrorEnvelope,
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}
