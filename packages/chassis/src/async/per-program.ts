import { AsyncLocalStorage } from 'node:async_hooks';

export type ProgramIdentity = object;

const ofProcess: ProgramIdentity = {};
const current = new AsyncLocalStorage<ProgramIdentity>();

/** Runs `work` as a program: the timers, servers and connections that it starts belong to that program. */
export const asProgram = <T>(program: ProgramIdentity, work: () => T): T => current.run(program, work);

/**
 * Returns a function that returns the calling program's value, made once per program. It holds state that would otherwise be the module's,
 * because tests run several programs in one process.
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
