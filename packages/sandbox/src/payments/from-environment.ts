import { z } from 'zod';
import { type RunningPayments, startPayments } from './start-payments.ts';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const Settings = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    PORT_FD: z.coerce.number().int().min(3).optional(),
    PAYMENTS_API_KEY: z.string().startsWith('sk_test_').default('sk_test_corner'),
    PAYMENTS_WEBHOOK_URL: z.url().optional(),
    PAYMENTS_WEBHOOK_SECRET: list.default([]),
    PAYMENTS_STATE: z.string().optional(),
    PAYMENTS_ACCOUNTS: list.default([]),
  })
  .refine(({ PAYMENTS_WEBHOOK_URL: url, PAYMENTS_WEBHOOK_SECRET: secrets }) => url === undefined || secrets.length > 0, {
    path: ['PAYMENTS_WEBHOOK_SECRET'],
    error: 'is required with PAYMENTS_WEBHOOK_URL',
  });

export async function paymentsOf(env: Readonly<Record<string, string | undefined>>): Promise<RunningPayments> {
  const settings = Settings.parse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  return await startPayments({
    apiKey: settings.PAYMENTS_API_KEY,
    host: settings.HOST,
    port: settings.PORT,
    fd: settings.PORT_FD,
    accounts: settings.PAYMENTS_ACCOUNTS,
    ...(settings.PAYMENTS_STATE === undefined ? {} : { stateFile: settings.PAYMENTS_STATE }),
    ...(settings.PAYMENTS_WEBHOOK_URL === undefined
      ? {}
      : { webhook: { url: settings.PAYMENTS_WEBHOOK_URL, secrets: settings.PAYMENTS_WEBHOOK_SECRET } }),
  });
}
