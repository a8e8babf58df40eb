import { readConfig, type ServiceConfig, serviceSettings } from '@corner/chassis';
import { z } from 'zod';

export type QueueConfig = ServiceConfig;

/** Reads the service's settings from the environment. Throws one error that names every missing or wrong setting. */
export const readQueueConfig = (env: Readonly<Record<string, string | undefined>>): QueueConfig =>
  readConfig(z.object(serviceSettings), env);
