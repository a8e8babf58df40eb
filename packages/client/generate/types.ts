import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';

/** Where the generated types are kept. */
export const typesFile = fileURLToPath(new URL('../src/openapi.ts', import.meta.url));

const documentFile = fileURLToPath(import.meta.resolve('@corner/contracts/specs/openapi.json'));

/** The part of an OpenAPI document that is changed before it is made into types. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, unknown> }>>>>;
  readonly components: { readonly examples: Readonly<Record<string, unknown>> };
}

/** The types of the public interface and its refusals' codes, as text: what is committed must equal this. */
export async function generatedTypes(): Promise<string> {
  const document: Document = JSON.parse(readFileSync(documentFile, 'utf8'));
  const codes = Object.keys(document.components.examples);
  return `// Made from the OpenAPI document by \`pnpm run specs\`: do not edit.
${astToString(await openapiTypescript(JSON.stringify(withoutRefusals(document)), { defaultNonNullable: false, alphabetize: true }))}
/** The code of every refusal this version of the interface knows. */
export type ErrorCode =
${codes.map((code) => `    | "${code}"`).join('\n')};
`;
}

/** A refusal is thrown, whatever its status: its types beside every operation would only be read past. */
function withoutRefusals(document: Document): Document {
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations)) operation.responses = { '200': operation.responses['200'] };
  return document;
}
