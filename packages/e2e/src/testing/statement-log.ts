import { readFile } from 'node:fs/promises';
import { requiredServices } from '@corner/contracts';
import { until } from '@corner/testkit';
import { type LoggedStatement, parseStatements } from './logged-statements.ts';
import { onDatabase } from './settled.ts';
import type { TestEnvironment } from './test-environment.ts';

export interface StatementLog {
  take(): Promise<readonly LoggedStatement[]>;
}

export async function startStatementLog(environment: TestEnvironment): Promise<StatementLog> {
  const { system, folder } = environment;
  const file = `${folder}/postgres/postgres.log`;
  await onDatabase(environment, async (client) => {
    await client.query(`alter system set log_line_prefix = '%u|%p|'`);
    await client.query('select pg_reload_conf()');
    for (const service of requiredServices) for (const set of settings) await client.query(`alter role corner_${service} set ${set}`);
  });
  for (const service of requiredServices) await system.services[service].restart();
  let read = 0;
  return {
    async take() {
      const mark = `mark ${Math.random()}`;
      await onDatabase(environment, (client) => client.query(`do $$ begin raise log '${mark}'; end $$`));
      const text = await until(async () => [await readFile(file, 'utf8')].find((all) => all.includes(mark)), { describe: 'the log' });
      const fresh = text.slice(read);
      read = text.length;
      return parseStatements(fresh);
    },
  };
}

const settings = [
  `session_preload_libraries = 'auto_explain'`,
  `log_statement = 'all'`,
  'log_parameter_max_length = 0',
  'auto_explain.log_min_duration = 0',
  'auto_explain.log_analyze = on',
  'auto_explain.log_timing = off',
  'auto_explain.log_nested_statements = on',
  'auto_explain.log_parameter_max_length = 0',
  'auto_explain.log_format = json',
];
