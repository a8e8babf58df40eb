import { readConfig, type ServiceConfig, serviceSettings } from '@corner/chassis';
import { z } from 'zod';

export type NotificationsConfig = ServiceConfig;

/** Reads the environment of this service. Throws one fault that names every setting that is missing or wrong. */
export const readNotificationsConfig = (env: Readonly<Record<string, string | undefined>>): NotificationsConfig =>
  readConfig(z.object(serviceSettings), env);
