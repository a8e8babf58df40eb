import { migrateWith } from '@corner/chassis/migrate';

export const migratePart = (part: string, env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> =>
  migrateWith(env, {
    service: part,
    directory: `${import.meta.dirname}/../../../services/${part}/migrations`,
    backbone: part !== 'gateway',
  });
