import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly 'x-callers': readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: unknown } } };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

interface Response {
  readonly content?: { readonly 'application/json': { readonly examples?: object } };
}

interface Reference {
  readonly $ref: string;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly callers: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly example: unknown;
  readonly responses: ReadonlyMap<number, DocumentedResponse>;
}

interface DocumentedResponse {
  readonly codes: ReadonlySet<string>;
  /** JSON Pointer in the document; null for a response without a body. */
  readonly schemaPointer: string | null;
}

export const document: OpenApi = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@corner/contracts/specs/openapi.json')), 'utf8'),
);

export const documentedOperations: readonly DocumentedOperation[] = Object.entries(document.paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, described]) => operationOf(path, method, described)))
  .toSorted((one, other) => (one.id < other.id ? -1 : 1));

function operationOf(
  path: string,
  method: string,
  { operationId, parameters = [], requestBody, ...described }: OpenApiOperation,
): DocumentedOperation {
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    callers: described['x-callers'],
    parameters: parameters.map(parameterOf),
    body: requestBody?.content['application/json'].schema ?? null,
    example: requestBody?.content['application/json'].example,
    responses: new Map(
      Object.entries(described.responses).map(([status, response]) => [
        Number(status),
        responseOf(response, `/paths/${escaped(path)}/${method}/responses/${status}`),
      ]),
    ),
  };
}

function parameterOf(given: Parameter | Reference): Parameter {
  if (!('$ref' in given)) return given;
  const parameter = document.components.parameters[given.$ref.replace('#/components/parameters/', '')];
  if (!parameter) throw new Error(`${given.$ref} is not in the document`);
  return parameter;
}

function responseOf(response: Response | Reference, pointer: string): DocumentedResponse {
  if ('$ref' in response) {
    const name = response.$ref.replace('#/components/responses/', '');
    const component = document.components.responses[name];
    if (!component) throw new Error(`${pointer} refers to ${response.$ref}, which is not in the document`);
    return responseOf(component, `/components/responses/${escaped(name)}`);
  }
  return {
    codes: new Set(Object.keys(response.content?.['application/json'].examples ?? {})),
    schemaPointer: response.content ? `${pointer}/content/${escaped('application/json')}/schema` : null,
  };
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
