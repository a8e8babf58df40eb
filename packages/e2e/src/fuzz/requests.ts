import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { KnownValues } from './known-values.ts';
import type { DocumentedOperation, Parameter } from './openapi-document.ts';
import { mostly, Values, wild } from './values.ts';

const bearers = [
  ...(['customer', 'another customer', 'merchant', 'staff', 'merchant of another store', 'without scopes'] as const),
  ...(['none', 'expired', 'forged', 'of another audience', 'garbage'] as const),
];
export type Bearer = (typeof bearers)[number] | 'customer to erase';

/** A customer of its own erases themselves, since the others go on. */
export const bearerOfRequest = (bearer: Bearer, method: string, path: string): Bearer =>
  bearer.endsWith('customer') && method === 'DELETE' && path === '/api/v1/directory/me' ? 'customer to erase' : bearer;

type Headers = Readonly<Record<string, string>>;
interface Body {
  readonly bytes: string | Buffer | null;
  readonly headers: Headers;
}

export interface Request {
  readonly bearer: Bearer;
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | Buffer | null;
}

/** Most requests are nearly valid, so that they pass the first checks; a failure shrinks to the documented example. */
export function requestsOf(operation: DocumentedOperation, known: KnownValues): fc.Arbitrary<Request> {
  const values = new Values(known);
  const parametersIn = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  const parts = fc.record({
    method: mostly(40, fc.constant(operation.method), fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH')),
    path: fc.record(Object.fromEntries(parametersIn('path').map((parameter) => [parameter.name, parameterValue(parameter, values)]))),
    query: mostly(
      40,
      fc.tuple(...parametersIn('query').map((parameter) => queryOf(parameter, values))).map((entries) => queryText(entries.flat())),
      fc.constantFrom(...rawQueries),
    ),
    bearer: bearerOf(operation),
    headers: fc.tuple(idempotencyKey, strangeHeaders, ifMatchOf(operation)).map((all): Headers => Object.assign({}, ...all)),
    body: bodyOf(operation, known),
  });
  return parts.map(({ path, query, bearer, body, ...rest }) => ({
    ...rest,
    bearer: bearerOfRequest(bearer, rest.method, operation.path),
    path: pathText(operation.path, path, query),
    headers: { ...rest.headers, ...body.headers },
    body: body.bytes,
  }));
}

/** Adds `*` for a required If-Match, which always serves. */
export function exampleOf({ method, path, parameters, body, example }: DocumentedOperation, bearer: Bearer): Request {
  const examplesIn = (place: Parameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === place && parameter.example !== undefined)
      .map(({ name, example }) => [name, example] as const);
  const required = parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
  return {
    bearer: bearerOfRequest(bearer, method, path),
    method,
    path: pathText(path, Object.fromEntries(examplesIn('path')), queryText(examplesIn('query'))),
    headers: { ...Object.fromEntries(required.map(({ name }) => [name.toLowerCase(), '*'])), ...(body ? { 'content-type': json } : {}) },
    body: body ? JSON.stringify(example) : null,
  };
}

type Entries = readonly (readonly [name: string, value: unknown])[];

/** Replaces lone surrogates and keeps 1,500 characters at most, because a request line has a limit. */
const encode = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.slice(0, 1_500).toWellFormed());
};
const queryText = (entries: Entries): string => entries.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
const pathText = (template: string, values: Readonly<Record<string, unknown>>, query: string): string => {
  const path = template.replace(/\{(\w+)\}/g, (placeholder, name: string) => (name in values ? encode(values[name]) : placeholder));
  return query === '' ? path : `${path}?${query}`;
};

const parameterValue = ({ name, schema }: Parameter, values: Values): fc.Arbitrary<unknown> => mostly(8, values.of(schema, name), wild);

function queryOf(parameter: Parameter, values: Values): fc.Arbitrary<Entries> {
  const { name, required } = parameter;
  const value = parameterValue(parameter, values);
  const named = (...names: readonly string[]) => value.map((given): Entries => names.map((each) => [each, given]));
  const strange = fc.oneof(
    named(name, name),
    named(`${name}[]`),
    named(`${name}[a][b]`),
    named(name.toUpperCase()),
    fc.constant<Entries>([[name, '']]),
  );
  const left = fc.constant<Entries>([]);
  return mostly(12, required ? mostly(12, named(name), left) : mostly(1, left, named(name)), strange);
}

const rawQueries = [
  '%',
  '%ff',
  '%00=%00',
  '&&&===',
  'store_id',
  '[]=1',
  'a[__proto__][b]=1',
  '?',
  '%E0%A4%A',
  `a=${'x'.repeat(7_000)}`,
  'a=1&'.repeat(1_500),
];

function bearerOf({ callers }: DocumentedOperation): fc.Arbitrary<Bearer> {
  const allowed = bearers.filter((bearer) => callers.some((caller) => bearer === caller || (caller === 'anyone' && bearer === 'none')));
  return mostly(6, fc.constantFrom(...allowed), fc.constantFrom(...bearers));
}

const noHeaders = fc.constant<Headers>({});
const header = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Headers> => values.map((value) => ({ [name]: value }));

const ifMatchOf = ({ parameters }: DocumentedOperation): fc.Arbitrary<Headers> =>
  parameters.some(({ name, required }) => name === 'If-Match' && required)
    ? header('if-match', mostly(12, fc.constant('*'), fc.constantFrom('"1"', '"0"', 'W/"1"', '"999999999999999"', '1', '')))
    : noHeaders;

const idempotencyKey = mostly(
  1,
  noHeaders,
  header(
    'idempotency-key',
    fc.oneof(
      fc.uuid(),
      fc.integer({ min: 10, max: 40 }).map((nth) => `00000000-0000-4000-8000-0000000000${nth}`),
      fc.constantFrom('k', '"quoted"', 'x'.repeat(255), 'x'.repeat(256), 'with space', 'é', '', '"', '""'),
    ),
  ),
);

const unexpected: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json', 'text/html', '*/*;q=0', ',;=,'],
  'accept-encoding': ['br;q=1, gzip, *;q=0'],
  'x-request-id': ['mine-1', 'x'.repeat(2_000), '\u00ff{}<>"'],
  traceparent: ['00-00000000000000000000000000000000-0000000000000000-01', 'garbage'],
  tracestate: [`a=${'b'.repeat(600)}`],
  baggage: ['%%%'],
  'x-forwarded-for': ['1.2.3.4, nonsense'],
  'x-forwarded-proto': ['gopher'],
  forwarded: ['for="[::1]"'],
  'x-http-method-override': ['DELETE'],
  'x-staff-token': ['garbage', 'é'],
  cookie: ['a=b; __proto__=c'],
  range: ['bytes=0-1'],
  'if-none-match': ['*'],
  'if-match': ['"x"'],
  upgrade: ['h2c'],
  connection: ['close'],
  te: ['trailers'],
  'x-huge': ['y'.repeat(6_000)],
};
const strangeHeader = fc.oneof(...Object.entries(unexpected).map(([name, values]) => header(name, fc.constantFrom(...values))));
const strangeHeaders = mostly(
  4,
  noHeaders,
  fc.array(strangeHeader, { maxLength: 3 }).map((all): Headers => Object.assign({}, ...all)),
);

const json = 'application/json';
const contentTypes = [
  `${json}; charset=utf-8`,
  `${json}; charset=utf-16`,
  `${json}; charset=nonsense`,
  'application/problem+json',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  ',',
  '*/*',
];

function bodyOf({ body, example }: DocumentedOperation, known: KnownValues): fc.Arbitrary<Body> {
  const schema = body ?? { type: 'object' };
  const asJson = (value: fc.Arbitrary<unknown>, type: fc.Arbitrary<string> = fc.constant(json)) =>
    fc.tuple(value, type).map(([given, contentType]) => bytes(JSON.stringify(given), contentType));
  const valid = asJson(new Values(known).of(schema));
  const none = fc.constant<Body>({ bytes: null, headers: {} });
  const strange = [
    { weight: 2, arbitrary: asJson(wild) },
    { weight: 1, arbitrary: asJson(new Values(known).of(schema), fc.constantFrom(...contentTypes)) },
    { weight: 2, arbitrary: fc.constantFrom(...strangeBodies) },
  ];
  if (!body) return fc.oneof({ withCrossShrink: true }, { weight: 20, arbitrary: none }, { weight: 2, arbitrary: valid }, ...strange);
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 10, arbitrary: asJson(new Values(known).likeExample(example)) },
    { weight: 8, arbitrary: valid },
    { weight: 10, arbitrary: asJson(new Values(known, 15).of(schema)) },
    { weight: 1, arbitrary: none },
    ...strange,
  );
}

const bytes = (given: string | Buffer, contentType: string | null = json, encoding: string | null = null): Body => ({
  bytes: given,
  headers: {
    ...(contentType === null ? {} : { 'content-type': contentType }),
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  },
});
const strangeBodies: readonly Body[] = [
  ...['{', '{"a":1}}', '{"a":1,"a":2}', '\ufeff{}', 'nul', '""', '0', '[]', '', '{"__proto__":{"store_id":"x"}}'].map((text) =>
    bytes(text),
  ),
  ...[`{"a":${'9'.repeat(1_000)}}`, '['.repeat(60_000), `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`].map((text) => bytes(text)),
  ...[70_000, 65_000].map((length) => bytes(`{"a":"${'x'.repeat(length)}"}`)),
  bytes(Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])),
  bytes(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])),
  ...['gzip', 'br', 'nonsense'].map((encoding) => bytes('{}', json, encoding)),
  ...[gzipSync('{}'), gzipSync('x'.repeat(300_000))].map((zipped) => bytes(zipped, json, 'gzip')),
  bytes('{}', null),
  bytes('a=b', 'application/x-www-form-urlencoded'),
];
