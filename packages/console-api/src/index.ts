import { Reason } from './operator.ts';

export * from './operator.ts';
export * from './sandbox.ts';
export * from './session.ts';
export * from './shop.ts';
export * from './storefront.ts';

/** The schemas that are bodies of requests; each other one is a response, or an event of a stream. */
export const requestBodies: ReadonlySet<unknown> = new Set([Reason]);
