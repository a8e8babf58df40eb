import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { startOnFreePort } from '@corner/sandbox/servers';

export interface Program extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export async function startProgram(optionsFor: (port: number) => Promise<ProgramOptions>): Promise<Program> {
  return await startOnFreePort(0, async (port) => {
    const { command, args, env = process.env } = await optionsFor(port);
    const child = spawn(command, args, { stdio: 'ignore', env: { ...env } });
    const url = `http://127.0.0.1:${port}`;
    while (
      !(await fetch(url).then(
        () => true,
        () => false,
      ))
    ) {
      if (child.pid === undefined || child.exitCode !== null) throw new Error(`${command} ended before it served`);
      await pause(20);
    }
    return {
      url,
      pid: child.pid ?? 0,
      async [Symbol.asyncDispose]() {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      },
    };
  });
}
