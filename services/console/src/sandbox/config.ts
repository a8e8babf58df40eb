import { notInProduction, readConfig } from '@corner/chassis/config';
import { z } from 'zod';
import { consoleSettings, origin } from '../config.ts';

const simulator = notInProduction(origin, () => true, 'unset it: the simulators are for development').optional();

const settings = consoleSettings.safeExtend({
  PAYMENTS_SIMULATOR_URL: simulator,
  MESSAGES_SIMULATOR_URL: simulator,
  /** `off` where people who share the system must not read each other's messages or break each other's payments. */
  SANDBOX_CONTROLS: z.enum(['on', 'off']).default('on'),
});

export type SandboxConfig = z.output<typeof settings>;

export const readSandboxConfig = (env: Readonly<Record<string, string | undefined>> = process.env): SandboxConfig =>
  readConfig(settings, env);

export const hasControls = ({ PAYMENTS_SIMULATOR_URL, MESSAGES_SIMULATOR_URL, SANDBOX_CONTROLS }: SandboxConfig): boolean =>
  SANDBOX_CONTROLS === 'on' && (PAYMENTS_SIMULATOR_URL ?? MESSAGES_SIMULATOR_URL) !== undefined;
