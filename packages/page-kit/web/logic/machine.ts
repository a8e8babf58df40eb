/** The state of a machine after an event, and what is to be done now, in order. */
export type Step<S, E> = readonly [state: S, effects: readonly E[]];

interface Environment<S, V, E> {
  /** Does what a step asks for. Its outcome is sent as an event, at once or later. */
  readonly carryOut: (effect: E, send: (event: V) => void) => void;
  /** Called after a step that changed the state. */
  readonly changed: (state: S) => void;
}

/** Runs a machine. `step` decides and is pure; everything else is an effect that it asks for. */
export function runMachine<S, V, E>(initial: S, step: (state: S, event: V) => Step<S, E>, { carryOut, changed }: Environment<S, V, E>) {
  let state = initial;
  const send = (event: V): void => {
    const before = state;
    const [next, effects] = step(before, event);
    state = next;
    if (next !== before) changed(next);
    for (const effect of effects) carryOut(effect, send);
  };
  return { state: (): S => state, send };
}
