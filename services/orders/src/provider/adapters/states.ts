import type { Log } from '@corner/chassis';

/** Returns the state of a provider object if it is known here; else logs it and returns null. */
export type KnownState = <S extends string>(object: string, states: readonly S[], given: string) => S | null;

const mostLogged = 1_000;

/**
 * The provider adds states without a new version of its interface. The moved money decides the meaning of an unknown one; it is logged
 * once by each process, so that a person can look it up.
 */
export function createKnownState(log: Log): KnownState {
  const logged = new Set<string>();
  return (object, states, given) => {
    const known = states.find((state) => state === given);
    if (known !== undefined) return known;
    const state = given.slice(0, 60);
    if (!logged.has(`${object} ${state}`) && logged.size < mostLogged) {
      logged.add(`${object} ${state}`);
      log.warn({ object, state }, 'the payment provider reports a state that is not known here: it is handled by the money that it moved');
    }
    return null;
  };
}
