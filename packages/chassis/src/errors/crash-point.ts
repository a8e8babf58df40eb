let arm: { readonly name: string; left: number } | null = null;

/**
 * Arms one crash point, as `name` or `name#3` for its third passing. Fault tests use it to kill a process with SIGKILL
 * at an exact place; production configuration refuses it.
 */
export function armCrashPoint(setting: string | undefined): void {
  const [name, nth] = (setting ?? '').split('#');
  arm = name ? { name, left: Number(nth ?? 1) } : null;
}

/** A place between two systems where a process may die. Does nothing unless armed. */
export function crashPoint(name: string): void {
  if (arm?.name !== name) return;
  arm.left -= 1;
  if (arm.left === 0) process.kill(process.pid, 'SIGKILL');
}
