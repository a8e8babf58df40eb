import type { Schema } from './schema.ts';

export interface OpenapiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
    readonly examples: Readonly<Record<string, Example>>;
  };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DescribedResponse | Reference>>;
  readonly 'x-callers': readonly string[];
  readonly 'x-role'?: string;
  readonly 'x-partner-scope'?: string;
  readonly 'x-rate-limits'?: readonly Limit[];
  readonly 'x-extension'?: true;
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly description?: string;
}

export interface Limit {
  readonly by: string;
  readonly counts?: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

interface DescribedResponse {
  readonly content: Readonly<Record<string, Content>>;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

interface Reference {
  readonly $ref: string;
}

export interface ReferenceOperation extends Omit<DescribedOperation, 'parameters' | 'responses' | 'requestBody'> {
  readonly parameters: readonly Parameter[];
  readonly method: string;
  readonly path: string;
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined;
  readonly reply: { readonly schema: Schema; readonly example: unknown };
  readonly problems: readonly { readonly status: string; readonly code: string; readonly example: Example }[];
}

export interface ReferenceChapter {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

export function chaptersOf(document: OpenapiDocument): ReferenceChapter[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(operation, method.toUpperCase(), path, document)),
  );
  return document.tags.map((tag) => ({ ...tag, operations: operations.filter(({ tags }) => tags.includes(tag.name)) }));
}

function readOperation(operation: DescribedOperation, method: string, path: string, document: OpenapiDocument): ReferenceOperation {
  const { parameters = [], responses, requestBody, ...described } = operation;
  const body = requestBody && firstOf(requestBody.content);
  const { 200: success, ...others } = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, contentOf(response, document)]),
  );
  return {
    ...described,
    parameters: parameters.flatMap((given) => ('$ref' in given ? (document.components.parameters[lastPart(given)] ?? []) : given)),
    method,
    path,
    body: body && { schema: body.schema, example: body.example },
    reply: { schema: success?.schema ?? {}, example: success?.example },
    problems: Object.entries(others).flatMap(([status, { examples = {} }]) =>
      Object.entries(examples).map(([code, example]) => ({ status, code, example: exampleOf(example, document) })),
    ),
  };
}

const lastPart = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);
const firstOf = (content: Readonly<Record<string, Content>>): Content => Object.values(content)[0] ?? { schema: {} };

function contentOf(response: DescribedResponse | Reference, { components }: OpenapiDocument): Content {
  const found = '$ref' in response ? components.responses[lastPart(response)] : response;
  return firstOf(found?.content ?? {});
}

function exampleOf(example: Example | Reference, { components }: OpenapiDocument): Example {
  return '$ref' in example ? (components.examples[lastPart(example)] ?? { value: undefined }) : example;
}
