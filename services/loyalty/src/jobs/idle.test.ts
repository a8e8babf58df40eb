import type { Database } from '@corner/chassis';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jobs } from '../service.ts';
import { type Running, startRunning } from '../testing/running.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => await running[Symbol.asyncDispose]());

/** Returns a database that names the statements and transactions it is asked for. */
const watched = (database: Database, names: string[]): Database =>
  new Proxy(database, {
    get(target, method, receiver) {
      const value = Reflect.get(target, method, receiver);
      if (typeof value !== 'function') return value;
      return (...args: { readonly name?: string }[]) => {
        names.push(args[0]?.name ?? String(method));
        return value(...args);
      };
    },
  });

test.each(Object.entries(jobs))('%s takes one look when nothing is due', async (_name, { run }) => {
  const names: string[] = [];
  const { context } = running.service;
  await run({ ...context, database: watched(context.database, names) });
  expect(names).toHaveLength(1);
  expect(names).not.toContain('transaction');
});
