import { type HttpConnection, openHttpConnection } from './http-connection.ts';

export interface Load {
  readonly count: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly took: readonly number[];
}

export interface LoadOptions {
  readonly concurrency: number;
  readonly seconds: number;
}

export async function runLoad({ concurrency, seconds }: LoadOptions, work: (worker: number) => Promise<void>): Promise<Load> {
  const took: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const repeat = async (worker: number) => {
    for (let now = performance.now(); now < until; ) {
      await work(worker);
      const after = performance.now();
      took.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => repeat(worker)));
  const lasted = (performance.now() - startedAt) / 1000;
  return { count: took.length, seconds: lasted, perSecond: took.length / lasted, took };
}

export interface Connections extends Disposable {
  readonly of: (worker: number) => HttpConnection;
}

export async function openConnections(url: string, count: number): Promise<Connections> {
  const all = await Promise.all(Array.from({ length: count }, () => openHttpConnection(url)));
  return {
    of: (worker) => all[worker % count] as HttpConnection,
    [Symbol.dispose]: () => {
      for (const connection of all) connection[Symbol.dispose]();
    },
  };
}
