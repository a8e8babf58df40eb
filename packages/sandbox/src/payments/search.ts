import { readParameters, required } from './parameters.ts';
import { badParameter } from './refusal.ts';
import type { Customer, Intent } from './stripe-shapes.ts';
import { type Call, seconds, type World } from './world.ts';

interface Found<T> {
  readonly object: 'search_result';
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_page: string | null;
  readonly url: string;
}

type Searched = Pick<Customer | Intent, 'id' | 'created' | 'metadata'>;

/** GET /v1/customers/search. */
export const searchCustomers = searchOf<Customer>('customer', '/v1/customers/search', ['created', 'email', 'name', 'phone']);
/** GET /v1/payment_intents/search. */
export const searchIntents = searchOf<Intent>('payment_intent', '/v1/payment_intents/search', [
  'amount',
  'created',
  'currency',
  'customer',
  'status',
]);

/**
 * A GET in Stripe's search language: clauses such as `metadata['order_id']:'7'` or `created>1700000000`, joined by AND or by OR.
 * The newest come first. An object is found some time after it was made; see `searchLag`.
 */
function searchOf<T extends Searched>(kind: 'customer' | 'payment_intent', url: string, fields: readonly (keyof T & string)[]) {
  return (call: Call, world: World): Found<T> => {
    const given = readParameters(call.form, { expand: 'any', limit: 'integer', page: 'string', query: 'string' });
    const { limit = 10 } = given;
    if (limit < 1 || limit > 100) throw badParameter('limit', 'The limit must be from 1 to 100.', 'parameter_invalid_integer');
    const matches = readQuery<T>(required(given, 'query'), fields);
    const indexed = seconds(world.now()) - world.searchLag();
    const rows = (world.books.all(kind) as unknown as T[])
      .reverse()
      .filter((thing) => thing.created <= indexed)
      .filter(matches);
    const start = given.page === undefined ? 0 : rows.findIndex(({ id }) => id === pointAt(given.page ?? '')) + 1;
    const data = rows.slice(start, start + limit);
    const has_more = rows.length > start + limit;
    return { object: 'search_result', data, has_more, next_page: has_more ? pageAfter(data.at(-1)?.id ?? '') : null, url };
  };
}

const pageAfter = (id: string): string => Buffer.from(id).toString('base64url');
const pointAt = (page: string): string => Buffer.from(page, 'base64url').toString();

const clause =
  /^(-?)(?:metadata\[(["'])(?<key>[^"']+)\2\]|(?<field>[a-z_]+))(?<operator>:|>=|<=|>|<)(?:(["'])(?<text>[^"']*)\6|(?<plain>\d+|null))$/;

type Test<T> = (thing: T) => boolean;

function readQuery<T extends Searched>(query: string, fields: readonly (keyof T & string)[]): Test<T> {
  const [all, any] = [query.split(/\s+AND\s+/i), query.split(/\s+OR\s+/i)];
  if (all.length > 1 && any.length > 1) throw badParameter('query', 'AND and OR cannot be used in one query.');
  const tests = (any.length > 1 ? any : all).map((text) => readClause(text.trim(), fields));
  return any.length > 1 ? (thing) => tests.some((test) => test(thing)) : (thing) => tests.every((test) => test(thing));
}

function readClause<T extends Searched>(text: string, fields: readonly (keyof T & string)[]): Test<T> {
  const match = clause.exec(text);
  if (!match?.groups) throw badParameter('query', `We were unable to parse your search query: ${text}`);
  const { key, field, operator = ':', text: quoted, plain } = match.groups;
  if (key === undefined && !fields.some((known) => known === field)) {
    throw badParameter('query', `Field \`${field}\` is an unsupported search field for this resource.`);
  }
  const negated = match[1] === '-';
  const wanted = quoted ?? plain ?? '';
  return (thing) => {
    const held = key === undefined ? thing[field as keyof T] : thing.metadata[key];
    const holds = plain === 'null' ? held === undefined || held === null : held !== undefined && compare(held, operator, wanted);
    return holds !== negated;
  };
}

function compare(held: unknown, operator: string, wanted: string): boolean {
  if (operator === ':') return String(held) === wanted;
  const [a, b] = [Number(held), Number(wanted)];
  if (operator === '>') return a > b;
  if (operator === '<') return a < b;
  return operator === '>=' ? a >= b : a <= b;
}
