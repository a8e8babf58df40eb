import { describe, expect, test } from '@jest/globals';
import type { SeenProcess } from './processes.ts';
import { describeCost } from './run-cost.ts';
import { kindOf, SecondsOfProcesses } from './seconds-of-processes.ts';

test('the kind of a process follows from its command line, of a source or of a bundle', () => {
  const lines = {
    'jest workers': ['node /corner/tools/runner/worker.ts'],
    services: [
      'node --import file:///corner/packages/sandbox/src/system/end-with-parent.ts /corner/services/orders/src/main.ts',
      'node --import file:///corner/packages/sandbox/dist/system-end-with-parent.js /corner/services/console/dist/storefront.js',
    ],
    simulators: [
      'node --import file:///corner/packages/sandbox/src/system/end-with-parent.ts /corner/packages/sandbox/src/payments/main.ts',
      'node /corner/packages/sandbox/dist/messages-main.js',
    ],
    browsers: ['/tmp/chromium --headless', '/opt/browser --type=renderer'],
    Postgres: ['/corner/native/bin/postgres -D /data', 'postgres: corner_orders corner 127.0.0.1(35142) idle'],
    NATS: ['/corner/.corner/cache/nats-server -a 127.0.0.1'],
    other: ['/bin/sh -c read -r line', 'node --import file:///corner/packages/sandbox/src/system/end-with-parent.ts tool.ts', ''],
  };
  for (const [kind, commands] of Object.entries(lines)) expect(commands.map(kindOf)).toEqual(commands.map(() => kind));
});

describe('the seconds of processes', () => {
  type Running = Partial<SeenProcess> & { readonly pid: number; readonly parent: number; readonly command: string };

  const jest = (endedSeconds = 0): Running => ({ pid: 10, parent: 1, command: 'node jest.js', ownSeconds: 1, endedSeconds });
  const worker = (endedSeconds = 0): Running => ({ ...jest(endedSeconds), pid: 11, parent: 10, command: 'node tools/runner/worker.ts' });
  const service = (ownSeconds: number, more = {}): Running => ({
    pid: 12,
    parent: 11,
    command: 'services/queue/src/main.ts',
    ownSeconds,
    ...more,
  });
  const postgres = (endedSeconds: number, more = {}): Running => ({
    pid: 13,
    parent: 11,
    command: 'postgres',
    ownSeconds: 1,
    endedSeconds,
    ...more,
  });
  const ofAnother: Running = { pid: 30, parent: 1, command: 'services/queue/src/main.ts', ownSeconds: 100 };

  function lookAt(...lists: readonly (readonly Running[])[]) {
    let running = lists[0] ?? [];
    const read: number[] = [];
    const find = (pid: number) => running.find((one) => one.pid === pid);
    const processes = new SecondsOfProcesses(10, {
      processIds: () => running.map(({ pid }) => pid),
      readProcess(pid) {
        read.push(pid);
        const found = find(pid);
        return found ? { name: 'node', startedAt: 1, ownSeconds: 0, endedSeconds: 0, ...found } : null;
      },
      commandLineOf: (pid) => find(pid)?.command ?? '',
    });
    for (const list of lists) {
      running = list;
      processes.look();
    }
    const { jest: own, 'jest workers': workers, 'the set-up': setUp, ...others } = Object.fromEntries(processes.byKind());
    return { own, workers, setUp, ...others, unseen: processes.unseen(), read };
  }

  test('are those of all that the run started, of children’s children too, and stay when a process has ended', () => {
    expect(lookAt([service(2), worker(), jest(), ofAnother])).toMatchObject({ own: 1, workers: 1, services: 2, unseen: 0 });
    expect(lookAt([service(2), worker(), jest()], [worker(2), jest()])).toMatchObject({ own: 1, workers: 1, services: 2, unseen: 0 });
  });

  test('are known to be unseen as far as a parent that waited for its child has more than a look has seen of it', () => {
    expect(lookAt([jest(), worker(), service(2)], [jest(), worker(5)])).toMatchObject({ services: 2, unseen: 3 });
    expect(lookAt([jest(), worker(), service(2)], [jest(), worker(5)], [jest(7)])).toMatchObject({ workers: 1, services: 2, unseen: 4 });
  });

  test('stay when a process ends with the parent that did not wait for it', () => {
    expect(lookAt([jest(), worker(), service(2)], [jest(1)])).toMatchObject({ workers: 1, services: 2, unseen: 0 });
  });

  test('are known of a family’s children that no look has seen, and count once when one has ended', () => {
    const child = service(2, { parent: 13, command: 'postgres' });
    expect(lookAt([jest(), worker(), postgres(5), child])).toMatchObject({ Postgres: 8, unseen: 0 });
    expect(lookAt([jest(), worker(), postgres(5), child], [jest(), worker(), postgres(7)])).toMatchObject({ Postgres: 8, unseen: 0 });
    expect(lookAt([jest(), worker(), postgres(5), child], [jest(), worker(8)])).toMatchObject({ Postgres: 8, unseen: 0 });
  });

  test('stay when another process has the id, and belong to the program that a process runs in the end', () => {
    const shell = service(1, { startedAt: 2, name: 'sh', command: 'sh -c nats-server' });
    const nats = service(3, { startedAt: 2, name: 'nats-server', command: 'nats-server' });
    const lists = [
      [jest(), worker(), service(2)],
      [jest(), worker(2), shell],
      [jest(), worker(2), nats],
    ];
    expect(lookAt(...lists)).toMatchObject({ services: 2, NATS: 3, unseen: 0 });
  });

  test('of what ended before the first file are the set-up’s', () => {
    expect(lookAt([jest(4)], [jest(6), worker()])).toMatchObject({ setUp: 4, unseen: 2 });
  });

  test('are not read again of a process that is not of the run, while it runs', () => {
    expect(lookAt([jest(), ofAnother], [jest(), ofAnother]).read).toEqual([10, 10, 30, 10]);
  });
});

test('the costliest kind comes first, and what no look has seen last', () => {
  const byKind = new Map([
    ['NATS', 3],
    ['services', 40.4],
  ]);
  expect(describeCost(byKind, 6.6).split('\n')).toEqual([
    'The processor’s 50 s by kind of process:',
    '     40 s  services',
    '      3 s  NATS',
    '      7 s  not seen (ended between two looks)',
  ]);
});
