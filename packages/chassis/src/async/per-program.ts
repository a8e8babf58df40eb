import { AsyncLocalStorage } from 'node:async_hooks';

/** Stands for a program: the one of this process, or one of several that run in it. */
export type ProgramIdentity = object;

const ofProcess: ProgramIdentity = {};
const current = new AsyncLocalStorage<ProgramIdentity>();

/** Runs `work`, and all that it starts, as a program: its timers, servers and connections stay with it. */
export const asProgram = <T>(program: ProgramIdentity, work: () => T): T => current.run(program, work);

/**
 * Returns a function that returns the value of the program that calls it, made once for each. State that a module would hold for the whole
 * process is held so, because tests run several programs in one process.
 */
export function perProgram<T extends object>(make: () => T): () => T {
  const values = new WeakMap<ProgramIdentity, T>();
  return () => {
    const program = current.getStore() ?? ofProcess;
    let value = values.get(program);
    if (value === undefined) {
      value = make();
      values.set(program, value);
    }
    return value;
  };
}
