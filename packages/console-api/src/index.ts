import { Reason } from './operator.ts';

export * from './operator.ts';
export * from './sandbox.ts';
export * from './session.ts';
export * from './shop.ts';
export * from './storefront.ts';

/** The schemas of request bodies; every other schema is a response, or an event of a stream. */
export const requestBodies: ReadonlySet<unknown> = new Set([Reason]);
