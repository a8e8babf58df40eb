import { emptyDatabase } from '@corner/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { locksOf, splitStatements } from './locks.ts';

test('statements end at semicolons, but not at those in quotes, in bodies of functions and in comments', () => {
  const body = "do $$ begin perform 'a;b'; end $$";
  const sql = `-- first; of all\nselect 'x;''y';\n${body}; /* a; b */ create table "a;b" ();\nselect 1 - 2`;
  expect(splitStatements(sql)).toEqual(["select 'x;''y'", body, 'create table "a;b" ()', 'select 1 - 2']);
});

test('the strongest lock on each table that was there before is found, and whether its rows are written anew', async () => {
  await using database = await emptyDatabase();
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query('create schema shop; set search_path to shop; create table item (id int primary key, name text)');
  const lock = async (statement: string, transaction = true) => await locksOf(client, 'shop', statement, transaction);
  const item = (name: string, rewritten = false) => [{ table: 'item', lock: name, rewritten }];
  expect(await lock('create index item_name on item (name)')).toEqual(item('SHARE'));
  expect(await lock('alter table item add column note text')).toEqual(item('ACCESS EXCLUSIVE'));
  expect(await lock('alter table item alter column id type bigint')).toEqual(item('ACCESS EXCLUSIVE', true));
  expect(await lock("update item set name = 'tea'")).toEqual(item('ROW EXCLUSIVE'));
  expect(await lock('create table other (id int)')).toEqual([]);
  expect(await lock('create index concurrently item_note on item (note)', false)).toEqual(item('SHARE UPDATE EXCLUSIVE'));
  expect(await lock('drop index concurrently if exists item_note', false)).toEqual(item('SHARE UPDATE EXCLUSIVE'));
  await client.end();
});
