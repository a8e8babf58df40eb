import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';

/** The path of the generated file. */
export const typesFile = fileURLToPath(new URL('../src/openapi.ts', import.meta.url));

const documentFile = fileURLToPath(import.meta.resolve('@corner/contracts/specs/openapi.json'));

/** The part of the OpenAPI document that is read or changed here. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, unknown> }>>>>;
  readonly components: { readonly examples: Readonly<Record<string, unknown>>; responses?: Readonly<Record<string, unknown>> };
}

/** The TypeScript source of src/openapi.ts: the types of the public interface and its error codes. */
export async function generatedTypes(): Promise<string> {
  const document: Document = JSON.parse(readFileSync(documentFile, 'utf8'));
  const codes = Object.keys(document.components.examples);
  return `// Generated from the OpenAPI document by \`pnpm run specs\`. Do not edit.
${astToString(await openapiTypescript(JSON.stringify(withoutErrorResponses(document)), { defaultNonNullable: false, alphabetize: true }))}
/** Every error code of this version of the interface. */
export type ErrorCode =
${codes.map((code) => `    | "${code}"`).join('\n')};
`;
}

/** Removes the error responses: the client throws them as CornerError, so no caller needs their types. */
function withoutErrorResponses(document: Document): Document {
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations)) operation.responses = { '200': operation.responses['200'] };
  delete document.components.responses;
  return document;
}
