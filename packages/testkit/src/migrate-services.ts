import type { MigrationReport, ServiceToMigrate } from './fill-template.ts';

// A separate program, forked by fill-template.ts: loading the chassis once per service would take seconds. Migration programs read
// environment variables, so they run one after another.

process.once('disconnect', () => process.exit());
process.once('message', async (tasks: readonly ServiceToMigrate[]) => {
  for (const { service, folder, adminUrl, roleUrl } of tasks) {
    Object.assign(process.env, { MIGRATION_DATABASE_URL: adminUrl, DATABASE_URL: roleUrl });
    const fault = await import(`${folder}/src/migrate.ts`).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    process.send?.({ service, fault } satisfies MigrationReport);
  }
  process.disconnect?.();
});
