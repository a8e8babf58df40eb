import { Problem } from '@corner/contracts';

/** The caller closed the connection before the response was complete. */
export class CallerLeft extends Error {
  override name = 'CallerLeft';
}

/** The gateway stops: a stream ends, and its client connects to another one. */
export class Stopping extends Error {
  override name = 'Stopping';
}

/** The time limit passed before the service began its response. */
export class ResponseTimeout extends Error {
  override name = 'ResponseTimeout';
  constructor(service: string) {
    super(`${service} did not begin its response in time`);
  }
}

/** The replica was declared out, as one whose machine is gone, and another one gets the request. */
export class ReplicaOut extends Error {
  override name = 'ReplicaOut';
}

/** The problem of a request that no replica answered. `cause` is for the log. */
export const unavailable = (cause: unknown): Problem => new Problem('UPSTREAM_UNAVAILABLE', { cause, retryAfterSeconds: 1 });

/** The problem of a request that no replica has room for. It has no cause: {@link Replica.noteFull} has logged it. */
export const full = (): Problem =>
  new Problem('UPSTREAM_UNAVAILABLE', { message: 'The service has all the work it can take.', retryAfterSeconds: 1 });
