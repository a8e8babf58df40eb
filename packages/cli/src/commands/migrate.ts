import { Command } from 'commander';
import { migratePlanCommand } from './migrate-plan.ts';

/** `corner migrate`: what the migrations of this checkout would do. Each service's own program runs them. */
export const migrateCommand = new Command('migrate')
  .description('Says what migrations would do. Each service’s own program runs them.')
  .addHelpText('after', '\nExample:\n  npx corner migrate plan\n')
  .addCommand(migratePlanCommand);
