import type { Webhook } from '@corner/chassis';
import { z } from 'zod';
import type { Context } from '../../context.ts';

const Lines = z.object({ logs: z.array(z.unknown()) });

/** What a device complains of. It may name people: the lines are counted and not kept. */
export const takeDeviceLog: Webhook<Context> = {
  path: '/api/v1/notifications/wallet/apple/v1/log',
  async run({ body }, { log }) {
    let sent: unknown;
    try {
      sent = JSON.parse(body.toString('utf8'));
    } catch {}
    const parsed = Lines.safeParse(sent);
    log.warn({ lines: parsed.success ? parsed.data.logs.length : 0, readable: parsed.success }, 'a wallet reported trouble');
    return { status: 200 };
  },
};
