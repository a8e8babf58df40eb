import type { Facts, Template } from './template-data.ts';

/** The way tried first; the other one is taken when the customer cannot be reached by it. */
export type Way = 'push' | 'email';

/** A message to come, for any template. */
export type Message = {
  readonly [T in Template]: {
    readonly template: T;
    readonly facts: Facts[T];
    /** What the message speaks of: a newer one of the same topic takes its place. */
    readonly topic: string;
    readonly way: Way;
    /** Seconds it waits for a newer one to take its place. */
    readonly waitSeconds: number;
    /** ISO 8601; past it nobody wants to hear this. */
    readonly expiresAt: string | null;
  };
}[Template];

/** What an event is to a customer. */
export interface News {
  /** Topics of which everything older is out of date now. */
  readonly outdates: readonly string[];
  readonly message: Message | null;
}

/** An event nobody is told of, which puts what is older out of date all the same. */
export const silent = (...outdates: readonly string[]): News => ({ outdates, message: null });
