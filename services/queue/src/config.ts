import { migrationSettings, readConfig, type ServiceConfig, serviceSettings } from '@corner/chassis/config';
import { z } from 'zod';

export type QueueConfig = ServiceConfig;

/** Reads the service's settings. Throws one error that names every missing or wrong setting. */
export const readQueueConfig = (env: Environment = process.env): QueueConfig => readConfig(z.object(serviceSettings), env);

/** Reads the settings of `migrate.ts`. Throws as {@link readQueueConfig} does. */
export const readMigrationConfig = (env: Environment = process.env) => readConfig(z.object(migrationSettings), env);

type Environment = Readonly<Record<string, string | undefined>>;
