import type { Webhook } from '@corner/chassis';
import { z } from 'zod';
import type { Context } from '../../context.ts';

/** Counts the error messages a device reports. They may name people, so they are not stored or logged. */
export const receiveDeviceLog: Webhook<Context> = {
  path: '/api/v1/notifications/wallet/apple/v1/log',
  async run({ body }, { log }) {
    let report: unknown;
    try {
      report = JSON.parse(body.toString('utf8'));
    } catch {}
    const parsed = Report.safeParse(report);
    log.warn({ lines: parsed.success ? parsed.data.logs.length : 0, readable: parsed.success }, 'a wallet reported errors');
    return { status: 200 };
  },
};

const Report = z.object({ logs: z.array(z.unknown()) });
