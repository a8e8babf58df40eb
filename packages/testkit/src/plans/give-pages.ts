import { withClient } from '../run-database.ts';

/**
 * Gives every table of a schema a first page, by inserting a row and rolling back. The planner takes a table without pages for an empty
 * one, whatever its statistics say, so a test could not plan statements as on a large table.
 */
export async function givePages(adminUrl: string, schema: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`begin; set local session_replication_role = replica; ${insertRows(client.escapeLiteral(schema))}; rollback`);
  });
}

/** The row has no values but defaults. It needs no constraint to hold, since it is rolled back with the removal of the constraints. */
const insertRows = (schema: string): string => `
do $$
declare
  found record;
begin
  for found in
    select c.conname, c.conrelid::regclass as name from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.connamespace = to_regnamespace(${schema}) and t.relkind in ('r', 'p') and not exists (
      select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey) and a.attidentity <> '' and c.contype = 'n')
    order by c.contype = 'n'
  loop
    execute format('alter table %s drop constraint if exists %I cascade', found.name, found.conname);
  end loop;
  for found in select oid::regclass as name from pg_class where relnamespace = to_regnamespace(${schema}) and relkind = 'r' loop
    execute format('insert into %s default values', found.name);
  end loop;
end $$`;
