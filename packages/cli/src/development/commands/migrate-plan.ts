import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { services } from '@corner/contracts';
import { readRunFile, runFileIn } from '@corner/operator';
import { startPostgres } from '@corner/sandbox/servers';
import { type PlannedMigration, planMigrations } from '@corner/sandbox/system';
import { Command, Option } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { type Output, standardOutput } from '../../screen/output.ts';
import { untilStopRequested } from '../system/until-stop-requested.ts';

const names = [...services, 'gateway'] as const;

interface Options {
  readonly data: string;
  readonly database?: string;
  readonly service?: (typeof names)[number];
  readonly json?: true;
}

const planCommand = withDataFolder(new Command('plan'))
  .description('Says which migrations would run, and which locks each statement takes on which tables. Changes nothing.')
  .option('--database <address>', 'the database (default: that of the running system)')
  .addOption(new Option('--service <name>', 'only the migrations of this service').choices([...names]))
  .option('--json', 'print it as JSON')
  .addHelpText('after', '\nExample:\n  npx corner migrate plan --database "$MIGRATION_DATABASE_URL" --service orders\n')
  .action(async (options: Options) => {
    const databaseUrl = options.database ?? readRunFile(runFileIn(dataFolder(options)))?.postgres;
    if (!databaseUrl)
      throw new Failure('nothing was planned', 'no system runs and no database is named', 'add --database <address>, or: npm start');
    const chosen = options.service ? [options.service] : names;
    const folder = mkdtempSync(join(tmpdir(), 'corner-plan-'));
    // Otherwise Ctrl-C would leave the folder.
    const { signal } = untilStopRequested();
    try {
      await using scratch = await startPostgres({ dataFolder: folder, durable: false });
      const plans: (readonly [string, readonly PlannedMigration[]])[] = [];
      for (const service of chosen) {
        if (signal.aborted) throw new Failure('nothing was planned', 'it was interrupted', 'the same command again');
        const plan = await planMigrations({ service, databaseUrl, scratchUrl: scratch.url }).catch((cause: Error) => {
          throw new Failure('nothing was planned', cause.message, options.database ? 'correct --database' : 'npx corner status', { cause });
        });
        plans.push([service, plan]);
      }
      const output = standardOutput();
      if (options.json) output.json(Object.fromEntries(plans));
      else for (const [service, migrations] of plans) writePlan(output, service, migrations);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

export const migrateCommand = new Command('migrate')
  .description('Says what migrations would do. Each service’s own program runs them.')
  .addHelpText('after', '\nExample:\n  npx corner migrate plan\n')
  .addCommand(planCommand);

const effects: Readonly<Record<string, string>> = {
  'ACCESS EXCLUSIVE': 'no one reads or writes it',
  EXCLUSIVE: 'no one writes it',
  'SHARE ROW EXCLUSIVE': 'no one writes it',
  SHARE: 'no one writes it',
};

function writePlan(output: Output, service: string, migrations: readonly PlannedMigration[]): void {
  output.write(`${service}: ${migrations.length === 0 ? 'migrations current' : `${migrations.length} to run`}\n`);
  for (const { file, transaction, statements } of migrations) {
    output.write(`  ${file}${transaction ? '' : ', outside a transaction'}\n`);
    for (const { statement, locks } of statements) {
      output.write(`    ${statement.replaceAll(/\s+/g, ' ').slice(0, 100)}\n`);
      for (const { table, lock, rewritten, rows } of locks) {
        const size = rows === null ? 'rows not counted' : `about ${rows} rows`;
        const until = transaction ? ' until the transaction ends' : '';
        output.write(
          `      ${table} (${size}): ${lock}, ${effects[lock] ?? 'reads and writes go on'}${until}${rewritten ? '; every row is written anew' : ''}\n`,
        );
      }
    }
  }
}
