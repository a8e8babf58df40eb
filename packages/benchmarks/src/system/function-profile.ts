import { readFileSync } from 'node:fs';
import type { RunningSystem, ServiceProcess } from '@corner/sandbox/system';

/** Microseconds that a process spent by group of functions. */
export type TimeByGroup = ReadonlyMap<string, number>;

interface Frame {
  readonly functionName: string;
  readonly url: string;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Runs `work` while every service's functions are sampled, from a restart with Node's inspector on. Returns the time by service. */
export async function profileFunctions(
  { services }: RunningSystem,
  warmUp: () => Promise<void>,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, TimeByGroup>> {
  const all = Object.values(services);
  await Promise.all(all.map((service) => service.restart({ env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } })));
  await warmUp();
  const sessions = await Promise.all(all.map(openInspector));
  try {
    await Promise.all(sessions.map(({ send }) => send('Profiler.enable').then(() => send('Profiler.start'))));
    await work();
    const profiles = await Promise.all(sessions.map(({ send }) => send('Profiler.stop') as Promise<{ profile: Profile }>));
    return new Map(all.map(({ name }, i) => [name, timeByGroup((profiles[i] as { profile: Profile }).profile)]));
  } finally {
    for (const { close } of sessions) close();
    await Promise.all(all.map((service) => service.restart()));
  }
}

/** Connects to the inspector whose address the process has printed last. */
async function openInspector({ logFile, name }: ServiceProcess) {
  const address = [...readFileSync(logFile, 'utf8').matchAll(/ws:\/\/127\.0\.0\.1:\S+/g)].at(-1)?.[0];
  if (!address) throw new Error(`${name} printed no address of its inspector`);
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  };
  let last = 0;
  const send = (method: string): Promise<unknown> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method }));
    });
  return { send, close: () => socket.close() };
}

/** The time of a profile's samples by group, without the time that is idle or belongs to no function. */
export function timeByGroup({ nodes, samples, timeDeltas }: Profile): TimeByGroup {
  const groups = new Map(nodes.map(({ id, callFrame }) => [id, groupOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const group = groups.get(id) ?? 'the rest';
    if (group !== 'idle') times.set(group, (times.get(group) ?? 0) + (timeDeltas[i] ?? 0));
  }
  return times;
}

/** By what a function's file or, for native code, its name contains. The first that fits names the group. */
const groupsOfFiles: readonly (readonly [string, RegExp])[] = [
  ['pg', /\/(pg|pg-[a-z]+|postgres-[a-z]+)\//],
  ['slonik', /\/@?slonik[^/]*\//],
  ['zod', /\/zod\//],
  ['NATS', /\/@nats-io\//],
  ['telemetry', /\/@opentelemetry\//],
  ['log lines', /\/(pino|sonic-boom|thread-stream|quick-format-unescaped|safe-stable-stringify|@pinojs)[^/]*\//],
  ['undici', /undici/],
  ['express', /\/(express|router|body-parser|raw-body|path-to-regexp|send|finalhandler|qs|accepts|type-is)\//],
  ['stripe', /\/stripe\//],
  ['mail', /\/(nodemailer|smtp-[a-z]+)\//],
  ['own code', /\/(services|packages)\/[^/]+\/src\//],
  ['other packages', /\/node_modules\//],
  ['timers and promises', /^node:(internal\/(timers|process)|timers|async_hooks|internal\/async)/],
  ['crypto', /^node:(internal\/)?crypto/],
  ['streams, buffers, sockets, HTTP', /^node:/],
];

/** The group that the time of a function is counted in. */
export function groupOf({ functionName, url }: Frame): string {
  // The profiler counts what it cannot attribute as the program's, waits for events among it.
  if (functionName === '(idle)' || functionName === '(program)') return 'idle';
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (/^(writev|write(Utf8|Latin1|Ascii)String|writeBuffer)$/.test(functionName)) return 'writes to sockets';
  if (url === '') return 'native code';
  return groupsOfFiles.find(([, file]) => file.test(url))?.[0] ?? 'the rest';
}
