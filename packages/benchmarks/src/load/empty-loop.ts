import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openHttpConnection } from './http-connection.ts';

export interface EmptyLoop extends AsyncDisposable {
  /** Makes requests one after another for some seconds. Returns the milliseconds of each. */
  run(seconds: number): Promise<number[]>;
}

/**
 * Three processes that do nothing but HTTP, as gateway, orders and provider call each other: what a request's hops cost on this machine.
 */
export async function startEmptyLoop(): Promise<EmptyLoop> {
  const processes: ChildProcess[] = [];
  let url = '';
  for (let hop = 0; hop < 3; hop += 1) {
    const child = fork(`${import.meta.dirname}/empty-hop.ts`, url ? [url] : []);
    processes.push(child);
    [url] = (await once(child, 'message')) as [string];
  }
  const connection = await openHttpConnection(url);
  const body = JSON.stringify({ basket: 'x'.repeat(300) });
  return {
    async run(seconds) {
      const took: number[] = [];
      for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
        const startedAt = performance.now();
        const { status } = await connection.send({ method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body });
        if (status !== 200) throw new Error(`the empty loop received ${status}`);
        took.push(performance.now() - startedAt);
      }
      return took;
    },
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
      const ended = processes.map((child) => once(child, 'exit'));
      for (const child of processes) child.disconnect();
      await Promise.all(ended);
    },
  };
}
