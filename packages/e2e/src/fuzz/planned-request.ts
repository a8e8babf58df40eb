import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type DocumentedOperation, documentedOperations, type Parameter } from './openapi-document.ts';
import { strangeHeaders } from './strange-headers.ts';
import { likeExample, nearly, seldom, valid, wild } from './values.ts';

const bearers = [
  'customer',
  'another customer',
  'merchant',
  'staff',
  'merchant of another store',
  'without scopes',
  'none',
  'expired',
  'forged',
  'of another audience',
  'garbage',
] as const;
export type Bearer = (typeof bearers)[number] | 'customer to erase';

/** The bearer of a request: a customer of its own erases themselves, since the others go on. */
export const bearerOfRequest = (bearer: Bearer, method: string, path: string): Bearer =>
  bearer.endsWith('customer') && method === 'DELETE' && path === '/api/v1/directory/me' ? 'customer to erase' : bearer;

type Bytes = string | Buffer;
type PlannedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly contentType: string }
  | { readonly kind: 'bytes'; readonly bytes: Bytes; readonly contentType: string | null; readonly encoding?: string };

/** A generated request. Placeholders ({@link Known}) are replaced when it is made. */
export interface PlannedRequest {
  readonly operation: DocumentedOperation;
  readonly method: string;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [string, unknown])[];
  /** The raw query string, sent instead of `query`; null when there is none. */
  readonly rawQuery: string | null;
  readonly bearer: Bearer;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: PlannedBody;
}

/** Generates requests of the named operations, or of all. Most are nearly valid, so that they pass the first checks. */
export function plannedRequests(only: readonly string[] = []): fc.Arbitrary<PlannedRequest> {
  const chosen = documentedOperations.filter(({ id }) => only.length === 0 || only.includes(id));
  return fc.oneof(...chosen.map(planOf));
}

const planOf = (operation: DocumentedOperation): fc.Arbitrary<PlannedRequest> => {
  const parametersIn = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  return fc.record({
    operation: fc.constant(operation),
    method: mostly(40, operation.method, 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH'),
    path: fc.record(Object.fromEntries(parametersIn('path').map((parameter) => [parameter.name, parameterValue(parameter)]))),
    query: fc.tuple(...parametersIn('query').map(queryEntry)).map((entries) => entries.flat()),
    rawQuery: seldom<string | null>(40, fc.constantFrom(...rawQueries), null),
    bearer: bearerFor(operation),
    headers: fc.tuple(strangeHeaders, ifMatchOf(operation)).map((all) => all.flat()),
    body: bodyFor(operation),
  });
};

const mostly = <T>(times: number, usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

/** Generates If-Match for an operation that needs it, most often one that serves. */
const ifMatchOf = ({ parameters }: DocumentedOperation): fc.Arbitrary<readonly (readonly [string, string])[]> =>
  parameters.some(({ name, required }) => name === 'If-Match' && required)
    ? mostly(12, '*', '"1"', '"0"', 'W/"1"', '"999999999999999"', '1', '').map((value) => [['if-match', value] as const])
    : fc.constant([]);

const parameterValue = ({ name, schema }: Parameter): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: valid(schema, name) }, { weight: 1, arbitrary: wild });

const queryEntry = (parameter: Parameter): fc.Arbitrary<readonly (readonly [string, unknown])[]> => {
  const { name, required } = parameter;
  const one = parameterValue(parameter).map((value) => [[name, value] as const]);
  const strange = parameterValue(parameter).chain((value) =>
    fc.constantFrom<readonly (readonly [string, unknown])[]>(
      [],
      [
        [name, value],
        [name, value],
      ],
      [[`${name}[]`, value]],
      [[`${name}[a][b]`, value]],
      [[name.toUpperCase(), value]],
      [[name, '']],
    ),
  );
  return fc.oneof(
    { weight: 12, arbitrary: one },
    { weight: required ? 1 : 12, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: strange },
  );
};

const rawQueries = [
  '%',
  '%ff',
  '%00=%00',
  '&&&===',
  'store_id',
  '[]=1',
  'a[__proto__][b]=1',
  `a=${'x'.repeat(7_000)}`,
  'a=1&'.repeat(1_500),
  '?',
  '%E0%A4%A',
];

function bearerFor({ callers }: DocumentedOperation): fc.Arbitrary<Bearer> {
  const allowed = bearers.filter((bearer) => callers.some((caller) => bearer === caller || (caller === 'anyone' && bearer === 'none')));
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...allowed) }, { weight: 1, arbitrary: fc.constantFrom(...bearers) });
}

const json = 'application/json';
const contentTypes = [
  `${json}; charset=utf-8`,
  'application/problem+json',
  `${json}; charset=utf-16`,
  `${json}; charset=nonsense`,
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  ',',
  '*/*',
];

function bodyFor({ body, example }: DocumentedOperation): fc.Arbitrary<PlannedBody> {
  const schema = body ?? { type: 'object' };
  const asJson = (value: fc.Arbitrary<unknown>) => value.map((given): PlannedBody => ({ kind: 'json', value: given, contentType: json }));
  return fc.oneof(
    { weight: body ? 8 : 2, arbitrary: asJson(valid(schema)) },
    { weight: body ? 10 : 0, arbitrary: asJson(likeExample(example)) },
    { weight: body ? 10 : 0, arbitrary: asJson(nearly(schema)) },
    { weight: 2, arbitrary: asJson(wild) },
    { weight: body ? 1 : 20, arbitrary: fc.constant({ kind: 'none' } as const) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(valid(schema), fc.constantFrom(...contentTypes))
        .map(([value, contentType]) => ({ kind: 'json', value, contentType }) as const),
    },
    { weight: 2, arbitrary: fc.constantFrom<PlannedBody>(...strangeBytes) },
  );
}

const bytes = (given: Bytes, contentType: string | null = json, encoding?: string): PlannedBody => ({
  kind: 'bytes',
  bytes: given,
  contentType,
  ...(encoding ? { encoding } : {}),
});
const strangeBytes: readonly PlannedBody[] = [
  bytes('{'),
  bytes('{"a":1}}'),
  bytes('{"a":1,"a":2}'),
  bytes('\ufeff{}'),
  bytes('nul'),
  bytes('""'),
  bytes('0'),
  bytes('[]'),
  bytes(''),
  bytes('{}', null),
  bytes('{"__proto__":{"store_id":"x"}}'),
  bytes(`{"a":${'9'.repeat(1_000)}}`),
  bytes('['.repeat(60_000)),
  bytes(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`),
  bytes(Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])),
  bytes(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])),
  bytes(`{"a":"${'x'.repeat(70_000)}"}`),
  bytes(`{"a":"${'x'.repeat(65_000)}"}`),
  bytes('{}', json, 'gzip'),
  bytes(gzipSync('{}'), json, 'gzip'),
  bytes(gzipSync('x'.repeat(300_000)), json, 'gzip'),
  bytes('{}', json, 'br'),
  bytes('{}', json, 'nonsense'),
  bytes('a=b', 'application/x-www-form-urlencoded'),
];
