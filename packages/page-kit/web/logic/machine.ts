export type Step<S, E> = readonly [state: S, effects: readonly E[]];

interface Environment<S, V, E> {
  readonly carryOut: (effect: E, send: (event: V) => void) => void;
  readonly changed: (state: S) => void;
}

/**
 * Runs a machine. `step` decides and is pure; `carryOut` carries out the effects that it returns, whose outcomes are sent as events, at
 * once or later. `changed` is called after a step that changed the state.
 */
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
