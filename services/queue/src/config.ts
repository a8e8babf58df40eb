import { readConfig, type ServiceConfig, serviceSettings } from '@corner/chassis';
import { z } from 'zod';

export type QueueConfig = ServiceConfig;

/** Reads the environment of this service. Throws one fault that names every setting that is missing or wrong. */
export const readQueueConfig = (env: Readonly<Record<string, string | undefined>>): QueueConfig =>
  readConfig(z.object(serviceSettings), env);
