import type { Log } from '@corner/chassis';

/** Returns a state of an object of the provider if it is one of those that are known here; else null, and it is logged. */
export type KnownState = <S extends string>(object: string, states: readonly S[], given: string) => S | null;

/** States that are remembered as logged. A provider adds some a year. */
const mostLogged = 1_000;

/**
 * The provider adds states without a new version of its interface. What an unknown one means is decided by the money that it moved; it is
 * logged once by each process, so that a person reads what it is for.
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
