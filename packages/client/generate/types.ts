import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allCodes, codesByOperation, outcomesByCode } from '@corner/contracts/specs/error-responses.ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { isProofByStatus } from '../src/outcome.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const typesFile = at('../src/openapi.ts');
const documentFile = fileURLToPath(import.meta.resolve('@corner/contracts/specs/openapi.json'));

export const namesFile = at('../src/operation-names.ts');

/**
 * Writes src/openapi.ts, the types of the public interface, unless it was made of this OpenAPI document already. Only compilers need it;
 * the names that a running client needs are a file in git.
 */
export async function writeTypes(): Promise<void> {
  const made = `// Made from OpenAPI document ${hash('sha256', readFileSync(documentFile, 'utf8') + readFileSync(at('types.ts'), 'utf8'))}. Not kept in git.\n`;
  if (existsSync(typesFile) && readFileSync(typesFile, 'utf8').startsWith(made)) return;
  // Several processes may write it at once.
  const temporary = `${typesFile}.${process.pid}`;
  writeFileSync(temporary, made + (await generatedTypes()));
  renameSync(temporary, typesFile);
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: { required?: readonly string[] } } } };
  responses: Record<string, unknown>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses?: unknown; readonly examples?: unknown };
  readonly webhooks?: unknown;
}

async function generatedTypes(): Promise<string> {
  const { document, described } = readDocument();
  for (const { operation } of described) makeKeyOptional(operation);
  shortenErrors(
    document,
    described.map(({ operation }) => operation),
  );
  return `${astToString(await openapiTypescript(JSON.stringify(document), { defaultNonNullable: false, alphabetize: true }))}
/** Every error code of this version of the interface. */
export type ErrorCode =
${allCodes.map((code) => `    | "${code}"`).join('\n')};
`;
}

export function namesText(): string {
  const { described } = readDocument();
  const keyed = described.filter(({ operation }) => makeKeyOptional(operation)).map(({ operation }) => `'${operation.operationId}'`);
  return `// Made from the OpenAPI document by \`npm run specs\`.
import type { operations } from './openapi.ts';

/** The name of each operation, by its method and path. */
export const operationNames: { readonly [call: string]: keyof operations | undefined } = {
${described.map(({ call, operation }) => `  '${call}': '${operation.operationId}',`).join('\n')}
};
/** The operations whose body requires an idempotency_key. The client adds one where the caller gives none. */
export const keyInBody: readonly (keyof operations)[] = [${keyed}];
/** The codes whose status is misleading: true where the refusal proves that nothing was done, false where something may have been done. */
export const provenOtherwise: { readonly [code: string]: boolean | undefined } = {
${provenOtherwise().join('\n')}
};
`;
}

const provenOtherwise = (): string[] =>
  outcomesByCode().flatMap(({ code, status, nothingDone }) =>
    nothingDone === isProofByStatus(status) ? [] : [`  ${code}: ${nothingDone},`],
  );

function readDocument() {
  // A client makes calls; webhooks' requests are for their receivers.
  const { webhooks: _, ...document }: Document = JSON.parse(readFileSync(documentFile, 'utf8'));
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
  return { document, described };
}

function makeKeyOptional({ requestBody }: Operation): boolean {
  const schema = requestBody?.content['application/json'].schema;
  if (!schema?.required?.includes('idempotency_key')) return false;
  schema.required = schema.required.filter((field) => field !== 'idempotency_key');
  return true;
}

/** Replaces the error responses of each operation by one, with all its codes: the client throws every error in the same form. */
function shortenErrors(document: Document, operations: readonly Operation[]): void {
  const codes = codesByOperation();
  for (const operation of operations) {
    const error = {
      type: 'object',
      properties: {
        code: { type: 'string', enum: codes[operation.operationId] },
        message: { type: 'string' },
        requestId: { type: 'string' },
      },
      required: ['code', 'message', 'requestId'],
    };
    const body = { schema: { type: 'object', properties: { error }, required: ['error'] } };
    operation.responses = {
      '200': operation.responses['200'],
      default: { description: 'Refused or failed.', content: { 'application/json': body } },
    };
  }
  Object.assign(document.components, { responses: undefined, examples: undefined });
}
