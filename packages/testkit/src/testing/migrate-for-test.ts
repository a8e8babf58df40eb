import { withClient } from '../run-database.ts';

/** Makes a service's role and schema, and in the schema what the statement makes: the least that a migration program does. */
export async function migrateForTest(service: string, statement: string, adminUrl: string, roleUrl: string): Promise<void> {
  const { username: role, password } = new URL(roleUrl);
  await withClient(adminUrl, async (client) => {
    const login = client.escapeIdentifier(role);
    const schema = client.escapeIdentifier(service);
    await client.query(`create role ${login} login password ${client.escapeLiteral(password)}`);
    await client.query(`create schema ${schema}; set search_path to ${schema}; ${statement};`);
    await client.query(`grant usage on schema ${schema} to ${login}`);
    await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${login}`);
    await client.query(`alter role ${login} set search_path to ${schema}`);
  });
}
