import { readFile } from 'node:fs/promises';
import { readBody } from '@corner/chassis/edge';
import { Problem } from '@corner/contracts';
import type { Express } from 'express';
import { z } from 'zod';

export const demoTokensPath = '/docs/tokens.json';
export const demoPayPath = '/docs/pay';

const Run = z.object({ tokens: z.record(z.string(), z.jwt()), payments: z.url().nullable().default(null) });

const Payment = z.object({ client_secret: z.string().regex(/^pi_\w+_secret_\w+$/), payment_method: z.string().max(100) });
/** The payment simulator's key for devices: it can only pay an intent whose secret is known. */
const publishableKey = 'pk_test_corner';

/**
 * Serves the tokens of a run's description to pages of this origin, and pays at its simulator. The file is read for each request, because
 * it is written after the start and may change.
 */
export function addDemo(app: Express, file: string): void {
  app.use([demoTokensPath, demoPayPath], (_request, response, next) => {
    response.removeHeader('Access-Control-Allow-Origin');
    response.set('Cache-Control', 'no-store');
    next();
  });
  app.get(demoTokensPath, async (_request, response) => void response.json((await runIn(file)).tokens));
  app.post(demoPayPath, async (request, response) => {
    const { payments } = await runIn(file);
    const { data: payment } = Payment.safeParse(JSON.parse(String(await readBody(request, 4096))));
    if (!payments || !payment) throw new Problem('ROUTE_NOT_FOUND');
    const [intent = ''] = payment.client_secret.split('_secret_');
    const paid = await fetch(`${payments}/v1/payment_intents/${intent}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}` },
      body: new URLSearchParams(payment),
    });
    const { status, error } = (await paid.json()) as { status?: string; error?: { message?: string } };
    response.json({ outcome: status ?? error?.message ?? 'no outcome' });
  });
}

async function runIn(file: string): Promise<z.output<typeof Run>> {
  try {
    return Run.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { tokens: {}, payments: null };
    throw error;
  }
}
