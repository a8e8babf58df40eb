import { readConfig, type ServiceConfig, serviceSettings } from '@corner/chassis/config';
import { z } from 'zod';

export type QueueConfig = ServiceConfig;

export const readQueueConfig = (env: Environment = process.env): QueueConfig => readConfig(z.object(serviceSettings), env);

type Environment = Readonly<Record<string, string | undefined>>;
