import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Answer, Ended, Task } from './protocol.ts';

/** Milliseconds of silence beyond the time-out: a busy loop lets no time-out fire. */
const graceMs = 60_000;
const loadMs = 180_000;

export class TestProcess {
  readonly #child: ChildProcess = fork(`${import.meta.dirname}/worker.ts`, { execArgv: [] });
  #hasEnded = false;

  constructor() {
    this.#child.once('exit', () => {
      this.#hasEnded = true;
    });
  }

  get isUsable(): boolean {
    return !this.#hasEnded && this.#child.connected;
  }

  /** The result is an error when the process ends before the file, or is silent for too long and is ended. */
  async run(task: Task): Promise<Ended> {
    const child = this.#child;
    const { promise, resolve } = Promise.withResolvers<Ended>();
    const fail = (message: string) => resolve({ error: { message, stack: message, type: 'Error' } });
    const silent = () => {
      fail(`The file said nothing for ${graceMs / 1_000} s beyond the time-out of what it was doing, so its process was ended.`);
      child.kill('SIGKILL');
    };
    let watch = setTimeout(silent, loadMs + graceMs);
    const onAnswer = (answer: Answer) => {
      clearTimeout(watch);
      if ('due' in answer) watch = setTimeout(silent, answer.due + graceMs);
      else resolve(answer);
    };
    const exited = (code: number | null, signal: string | null) =>
      fail(`The process of the file ended before the file did: ${signal ?? `exit code ${code}`}.`);
    child.on('message', onAnswer);
    child.once('exit', exited);
    child.send(task);
    const ended = await promise;
    clearTimeout(watch);
    child.off('message', onAnswer).off('exit', exited);
    return ended;
  }

  async end(): Promise<void> {
    if (this.#hasEnded) return;
    const exited = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await exited;
  }
}
