import { perProgram } from '../async/per-program.ts';

interface Armed {
  name: string | null;
  passesLeft: number;
}

const armed = perProgram<Armed>(() => ({ name: null, passesLeft: 0 }));

/** Arms one crash point of the calling program, as `name`, or as `name#3` for its third passing. Production refuses the setting. */
export function armCrashPoint(setting: string | undefined): void {
  const [name, nth] = (setting ?? '').split('#');
  Object.assign(armed(), { name: name || null, passesLeft: Number(nth ?? 1) } satisfies Armed);
}

/** Marks a place between two systems where a process may die. Does nothing unless this point is armed. */
export function crashPoint(name: string): void {
  const point = armed();
  if (point.name !== name) return;
  point.passesLeft -= 1;
  if (point.passesLeft === 0) process.kill(process.pid, 'SIGKILL');
}
