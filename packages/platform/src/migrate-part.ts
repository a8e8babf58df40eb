import { migrateWith } from '@corner/chassis/migrate';

/**
 * Brings the schema of a service or of the gateway up to date, under the addresses in the environment. Returns what was applied. Throws,
 * and applies nothing, when another version has made the schema: its tables may be others, and on one machine the data are for trying.
 */
export const migratePart = (part: string, env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> =>
  migrateWith(env, {
    service: part,
    directory: `${import.meta.dirname}/../../../services/${part}/migrations`,
    backbone: part !== 'gateway',
    onUnknown: (sentence) => {
      throw new Error(`${sentence}; npm run reset deletes the data and begins anew`);
    },
  });
