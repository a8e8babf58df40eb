import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { checkout } from '../walls/read-files.ts';
import { columns, guardedElsewhere } from './columns.ts';

const read = (path: string): string => readFileSync(`${checkout}/${path}`, 'utf8');
const readAll = (...patterns: string[]): string => globSync(patterns, { cwd: checkout }).sort().map(read).join('\n');

const schemas: Readonly<Record<string, string>> = {
  chassis: 'packages/chassis/schema.sql',
  gateway: 'services/gateway/migrations/*.sql',
  ...Object.fromEntries(globSync('services/*/schema.sql', { cwd: checkout }).map((path) => [path.split('/')[1] ?? '', path])),
};

const erasing = (service: string): string =>
  service === 'chassis'
    ? `${read('packages/chassis/src/inbox/erase-customer.ts')} ${read('packages/chassis/schema.sql').split('FUNCTION scrub_outbox').at(1)?.split('$function$').at(1)}`
    : readAll(
        `services/${service}/src/customers/tables.ts`,
        `services/${service}/src/tables/erasure*.ts`,
        `services/${service}/src/erasure/tables/*.ts`,
      );

const ofPersons = /^ {2}"?(\w+)"? (?:text|jsonb?|bytea|uuid|inet|citext|xml|character(?: varying)?(?:\(\d+\))?)(?:\[\])?(?: |,|$)/gm;

function columnsOf(schema: string): string[] {
  return [...schema.matchAll(/create (?:unlogged )?table (\w+) \(\n(.*?)\n\)/gs)].flatMap(([, table = '', body = '']) => {
    const words = new Set([...body.matchAll(/CHECK \(\((\w+) = ANY \(ARRAY\[/g)].map(([, column = '']) => column));
    return [...body.matchAll(ofPersons)]
      .map(([, column = '']) => column)
      .filter((column) => column !== 'store_id' && !words.has(column))
      .map((column) => `${table}.${column}`);
  });
}

const listed = (list: string): string[] =>
  [...list.matchAll(/(\w+)\(([^)]*)\)/g)].flatMap(([, table = '', names = '']) => names.split(/\s+/).map((name) => `${table}.${name}`));
const linesOf = ({ erased, kept, ofTheBusiness, ofNoPerson }: (typeof columns)[string]): string[] =>
  [erased, ...Object.values(kept), ofTheBusiness, ofNoPerson].flatMap(listed);

test('what can hold something of a person follows from the type', () => {
  const schema = [
    'create table t (\n  id uuid not null,\n  "position" text,\n  names text[],\n  at timestamp with time zone,\n  store_id uuid,\n  kind text,',
    "  constraint t_kind_check CHECK ((kind = ANY (ARRAY['a'::text])))\n);",
  ].join('\n');
  expect(columnsOf(schema)).toEqual(['t.id', 't.position', 't.names']);
});

test('every column that can hold something of a person has its line in tools/erasure/columns.ts, once', () => {
  expect(Object.keys(columns).sort()).toEqual(Object.keys(schemas).sort());
  for (const [service, schema] of Object.entries(schemas)) {
    const lines = linesOf(columns[service] ?? { erased: '', kept: {}, ofTheBusiness: '', ofNoPerson: '' });
    expect({ service, columns: [...lines].sort() }).toEqual({ service, columns: columnsOf(readAll(schema)).sort() });
  }
});

test.each(Object.entries(columns))('what is said to be erased at %s is in a statement that erases', (service, { erased }) => {
  const text = erasing(service);
  const missing = listed(erased).filter((line) => {
    const [table = '', column = ''] = line.split('.');
    const emptied = new RegExp(`update ${table}(?: \\w)?\\s+set [^;]*?\\b${column} = `);
    return !new RegExp(`delete from ${table}\\b`).test(text) && !emptied.test(text);
  });
  expect(missing).toEqual([]);
});

test('a table from which an erasure deletes takes nothing of an erased customer afterwards', () => {
  const open = Object.entries(columns).flatMap(([service, { erased }]) => {
    const migrations = readAll(`services/${service}/migrations/*.sql`);
    const deleted = [...new Set(listed(erased).map((line) => line.split('.')[0] ?? ''))].filter((table) =>
      new RegExp(`delete from ${table}\\b`).test(erasing(service)),
    );
    const guards = (table: string) =>
      new RegExp(`create trigger (?:skip|refuse)_erased\\w* before insert[^;]* on ${table} `).test(migrations);
    return deleted.filter((table) => !guards(table)).map((table) => `${service}.${table}`);
  });
  expect(open.sort()).toEqual(Object.keys(guardedElsewhere).sort());
});
