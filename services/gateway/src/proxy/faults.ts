import { Problem } from '@corner/contracts';

export class CallerLeft extends Error {
  override name = 'CallerLeft';
}

/** The gateway stops: a stream ends, and its client connects to another gateway. */
export class Stopping extends Error {
  override name = 'Stopping';
}

export class ResponseTimeout extends Error {
  override name = 'ResponseTimeout';
  constructor(service: string) {
    super(`${service} did not begin its response in time`);
  }
}

/** Probes found the replica unreachable, and another one gets the request. */
export class ReplicaOut extends Error {
  override name = 'ReplicaOut';
}

export const unavailable = (cause: unknown): Problem => new Problem('UPSTREAM_UNAVAILABLE', { cause, retryAfterSeconds: 1 });

/** It has no cause: {@link Replica.noteFull} has logged it. */
export const full = (): Problem =>
  new Problem('UPSTREAM_UNAVAILABLE', { message: 'The service has all the work it can take.', retryAfterSeconds: 1 });
