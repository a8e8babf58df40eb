import { z } from 'zod';
import { defineRpc, type RpcContract } from './rpc.ts';
import type { ServiceName } from './vocabulary.ts';

const Input = z.object({ event_ids: z.array(z.guid()).max(1000) });
const Output = z.object({
  /** Processed, or consumed by no event handler of this service. */
  processed: z.array(z.guid()),
  dead_lettered: z.array(z.guid()),
});

/** Every service serves it, so that a publisher can wait for the effects of its events. */
export const processedBy = (service: ServiceName): RpcContract<typeof Input, typeof Output> =>
  defineRpc({
    name: `${service}.processed`,
    service,
    summary: 'Returns which of the given events this service has processed.',
    input: Input,
    output: Output,
    problems: [],
    deadlineMs: 2000,
  });
