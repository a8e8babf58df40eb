import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allCodes, codesByOperation } from '@corner/contracts/specs/error-responses.ts';
import openapiTypescript, { astToString } from 'openapi-typescript';

/** The path of the generated file. */
export const typesFile = fileURLToPath(new URL('../src/openapi.ts', import.meta.url));

const documentFile = fileURLToPath(import.meta.resolve('@corner/contracts/specs/openapi.json'));

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: { required?: readonly string[] } } } };
  responses: Record<string, unknown>;
}

/** The part of the OpenAPI document that is read or changed here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses?: unknown; readonly examples?: unknown };
}

/** The TypeScript source of src/openapi.ts: the types of the public interface, its error codes and the names of its operations. */
export async function generatedTypes(): Promise<string> {
  const document: Document = JSON.parse(readFileSync(documentFile, 'utf8'));
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
  const keyInBody = all.filter(({ operation }) => makeKeyOptional(operation)).map(({ operation }) => operation.operationId);
  shortenErrors(
    document,
    all.map(({ operation }) => operation),
  );
  return `// Generated from the OpenAPI document by \`npm run specs\`. Do not edit.
${astToString(await openapiTypescript(JSON.stringify(document), { defaultNonNullable: false, alphabetize: true }))}
/** Every error code of this version of the interface. */
export type ErrorCode =
${allCodes.map((code) => `    | "${code}"`).join('\n')};
/** The name of each operation, by its method and path. */
export const operationNames: { readonly [call: string]: keyof operations | undefined } = {
${all.map(({ call, operation }) => `    "${call}": "${operation.operationId}",`).join('\n')}
};
/** The operations whose body requires an idempotency_key. The client adds one where the caller gives none. */
export const keyInBody: readonly (keyof operations)[] = ${JSON.stringify(keyInBody)};
`;
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
