import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allCodes, codesByOperation, outcomesByCode } from '@corner/contracts/specs/error-responses.ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { isProofByStatus } from '../src/outcome.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const typesFile = at('../src/openapi.ts');
const documentFile = fileURLToPath(import.meta.resolve('@corner/contracts/specs/openapi.json'));

/** The names that the client needs while it runs, as source. They are kept, so that the client runs without the types. */
export const namesFile = at('../src/operation-names.ts');

/** Writes src/openapi.ts, the types of the public interface, unless it is the one of this OpenAPI document already. Only a compiler reads it. */
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

/** The part of the OpenAPI document that is read or changed here. */
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

/** The text of src/operation-names.ts. */
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
  // A client makes calls; what webhooks are sent, their receivers read.
  const { webhooks: _, ...document }: Document = JSON.parse(readFileSync(documentFile, 'utf8'));
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
  return { document, described };
}

/** Makes a required idempotency_key of the body optional. Returns whether there was one. */
function makeKeyOptional({ requestBody }: Operation): boolean {
  const schema = requestBody?.content['application/json'].schema;
  if (!schema?.required?.includes('idempotency_key')) return false;
  schema.required = schema.required.filter((field) => field !== 'idempotency_key');
  return true;
}

/** Replaces the error responses of each operation by one, with the codes that it may have: the client throws every error alike. */
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
  // Nothing refers to these any more.
  Object.assign(document.components, { responses: undefined, examples: undefined });
}
