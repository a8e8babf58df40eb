import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runsOutsideTransaction } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { checkout, migrationsOf, rewritten, unreleased } from './migrations.ts';
import { lastRelease, readRelease, releasedVersions } from './released.ts';
import { riskyStatements } from './risky-statements.ts';
import { parts } from './surface.ts';

const squawk = join(import.meta.dirname, '../node_modules/.bin/squawk');
const settings = join(import.meta.dirname, '../squawk.toml');

const outside = '-- outside a transaction\n';

function lint(sql: string): string {
  if (/\bconcurrently\b/i.test(sql) !== runsOutsideTransaction(sql))
    return `a file that builds indexes concurrently, and no other, begins with the line: ${outside}`;
  const options = ['--config', settings, ...(runsOutsideTransaction(sql) ? ['--no-assume-in-transaction'] : [])];
  const { status, stdout, stderr, error } = spawnSync(squawk, options, { encoding: 'utf8', cwd: checkout, input: sql });
  if (error) throw error;
  return [...(status === 0 ? [] : [`${stdout}${stderr}`]), ...riskyStatements(sql)].join('\n');
}

test('no released migration was changed: a database that ran it would never see the change', () => {
  for (const part of parts) {
    for (const version of releasedVersions(part))
      expect(rewritten(readRelease(part, version)?.migrations ?? {}, migrationsOf(part))).toEqual([]);
  }
});

test('no migration since the last release takes a lock that stops the released version, or takes away what it needs', () => {
  const files = parts.flatMap((part) => unreleased(lastRelease(part)?.migrations ?? {}, migrationsOf(part)));
  // The first file of a folder makes the schema: it runs where nothing is served yet.
  const linted = [...new Set(files)].filter((file) => !basename(file).startsWith('0001-'));
  for (const file of linted) expect([file, lint(readFileSync(join(checkout, file), 'utf8'))]).toEqual([file, '']);
});

test.each([
  ['create index orders_by_note on orders (note);', 'require-concurrent-index-creation'],
  ['create index concurrently orders_by_note on orders (note);', 'begins with the line: -- outside a transaction'],
  ['-- outside a transaction, always\ncreate index concurrently orders_by_note on orders (note);', 'begins with the line: '],
  ['alter table orders alter column note set not null;', 'adding-not-nullable-field'],
  ['alter table orders rename column note to remark;', 'renaming-column'],
  ['alter table orders drop column note;', 'ban-drop-column'],
  ['alter table orders alter column total_pence type text;', 'changing-column-type'],
  ['truncate orders;', 'locks a whole table'],
  ['lock table orders in access exclusive mode;', 'locks a whole table'],
  ['alter table orders alter column note drop default;', 'takes away what the released version may use'],
  ['alter table orders drop constraint orders_code;', 'takes away what the released version may use'],
  ['drop function code_of(uuid);', 'takes away what the released version may use'],
  ["alter type kind rename value 'a' to 'b';", 'takes away what the released version may use'],
  ["-- All of them.\nupdate orders set note = 'x; y';", 'requests wait for them'],
  ["do $$ begin execute 'drop table orders'; end $$;", 'hides its statements'],
])('the linter refuses: %s', (statement, rule) => {
  expect(lint(statement)).toContain(rule);
});

test.each([
  ['alter table orders add column remark text;'],
  ['create table remark (id uuid primary key);'],
  ['create or replace function f() returns void language plpgsql as $$ begin delete from remark; end $$;'],
  ["-- allowed: a store has one row\nupdate store set note = '';"],
  ['-- No code names it since 0.2.0.\n-- squawk-ignore ban-drop-column\nalter table orders drop column note;'],
  [`${outside}create index concurrently orders_by_note on orders (note);`],
])('the linter accepts: %s', (statement) => {
  expect(lint(statement)).toBe('');
});
