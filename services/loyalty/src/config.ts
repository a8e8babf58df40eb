import { readConfig, type ServiceConfig, serviceSettings } from '@corner/chassis';
import { z } from 'zod';

export type LoyaltyConfig = ServiceConfig;

/** Reads the environment of this service. Throws one fault that names every setting that is missing or wrong. */
export const readLoyaltyConfig = (env: Readonly<Record<string, string | undefined>>): LoyaltyConfig =>
  readConfig(z.object(serviceSettings), env);
