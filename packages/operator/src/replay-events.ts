import { setTimeout as pause } from 'node:timers/promises';
import { beginReplay, type RpcOutput, replayPage, type ServiceName } from '@corner/contracts';
import type { Platform } from './call-service.ts';

export interface Replay {
  readonly replayId: string;
  readonly by: string;
  readonly counted: number;
  readonly range: { readonly since: string; readonly until: string };
}

type Page = RpcOutput<ReturnType<typeof replayPage>>;

/**
 * Lets a service process past events again, page by page; a repeated page changes nothing. Rejects when a page gets no reply five times.
 * `replayId` is a UUID of the operator's choice.
 */
export async function replayEvents({ call }: Platform, service: ServiceName, { replayId, by, counted, range }: Replay) {
  await call(beginReplay(service), { ...range, replay_id: replayId, by, counted });
  const failures: Page['failures'] = [];
  for (let from = { producer: 0, sequence: 0 }; ; ) {
    const page = await withRetries(() => call(replayPage(service), { replay_id: replayId, from }));
    failures.push(...page.failures);
    if (page.next === null) return { processed: page.processed, skipped: page.skipped, failed: page.failed, failures };
    from = page.next;
  }
}

const maxAttempts = 5;

async function withRetries<T>(makeCall: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await makeCall();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      await pause(attempt * 1_000);
    }
  }
}
