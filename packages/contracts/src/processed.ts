import { z } from 'zod';
import { defineRpc, type RpcContract } from './rpc.ts';
import type { ServiceName } from './vocabulary.ts';

const Input = z.object({ event_ids: z.array(z.guid()).max(1000) });
const Output = z.object({
  /** Worked through, or heard and of no concern to this service. */
  done: z.array(z.guid()),
  /** Set aside as dead letters. */
  dead: z.array(z.guid()),
});

/** Asks a service which of these events it has worked through. Every service answers it, so that a publisher can wait for the effect. */
export const processedBy = (service: ServiceName): RpcContract<typeof Input, typeof Output> =>
  defineRpc({
    name: `${service}.processed`,
    service: service,
    summary: 'Which of these events have been worked through here.',
    input: Input,
    output: Output,
    problems: [],
    deadlineMs: 2000,
  });
