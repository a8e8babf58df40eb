import { readConfig, type ServiceConfig, serviceSettings } from '@corner/chassis/config';
import { z } from 'zod';

export type DirectoryConfig = ServiceConfig;

export const readDirectoryConfig = (env: Environment = process.env): DirectoryConfig => readConfig(z.object(serviceSettings), env);

type Environment = Readonly<Record<string, string | undefined>>;
