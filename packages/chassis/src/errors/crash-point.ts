let armed: { readonly name: string; passesLeft: number } | null = null;

/**
 * Arms one crash point, as `name`, or as `name#3` for its third passing. Fault tests use it to kill a process at an exact place; a
 * production configuration refuses it.
 */
export function armCrashPoint(setting: string | undefined): void {
  const [name, nth] = (setting ?? '').split('#');
  armed = name ? { name, passesLeft: Number(nth ?? 1) } : null;
}

/** Marks a place between two systems where a process may die. Does nothing unless this point is armed. */
export function crashPoint(name: string): void {
  if (armed?.name !== name) return;
  armed.passesLeft -= 1;
  if (armed.passesLeft === 0) process.kill(process.pid, 'SIGKILL');
}
