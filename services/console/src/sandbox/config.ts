import { notInProduction, readConfig } from '@corner/chassis/config';
import type { z } from 'zod';
import { consoleSettings, origin } from '../config.ts';

const simulator = notInProduction(origin, () => true, 'unset it: the simulators are for development').optional();

/** The console's settings, and the addresses of the simulators whose controls it has. */
const settings = consoleSettings.safeExtend({ PAYMENTS_SIMULATOR_URL: simulator, MESSAGES_SIMULATOR_URL: simulator });

export type SandboxConfig = z.output<typeof settings>;

/** Reads the settings of a console with the controls of simulators. Throws one error that names every missing or wrong setting. */
export const readSandboxConfig = (env: Readonly<Record<string, string | undefined>> = process.env): SandboxConfig =>
  readConfig(settings, env);
