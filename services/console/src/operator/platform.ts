import { type Broker, createCall, RpcUnavailable } from '@corner/chassis/asking';
import { consoleUser, Problem } from '@corner/contracts';
import type { Platform } from '@corner/nats';
import { maskText } from './mask.ts';

/** Reaches the services as the operator `console`, who names the person in the calls that are recorded. */
export const createPlatform = (broker: () => Broker | null, deadlineFactor: number): Platform => ({
  call: createCall(broker, deadlineFactor, consoleUser),
  whyNot(error) {
    if (error instanceof RpcUnavailable) return 'it did not reply in time';
    if (error instanceof Problem) return maskText(error.message);
    throw error;
  },
});
