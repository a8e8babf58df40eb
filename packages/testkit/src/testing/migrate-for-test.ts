import { withClient } from '../run-database.ts';

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
