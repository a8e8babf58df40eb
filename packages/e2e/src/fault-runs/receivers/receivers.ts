import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';

/** `specification` has code of its own for signatures, written from the specification of Standard Webhooks alone. */
const ways = ['library', 'specification'] as const;

export interface Receiver {
  readonly way: string;
  readonly url: string;
  readonly exited: Promise<unknown>;
  kill(): void;
  restart(): Promise<void>;
  stored(): readonly Stored[];
  refused(): readonly string[];
}

export function whatItStored({ way, stored }: Receiver): string {
  const all = stored();
  const events = new Set(all.map(({ webhookId, number }) => `${webhookId} ${number}`));
  return `the receiver by ${way} stored ${all.length} requests of ${events.size} events`;
}

export interface Stored {
  readonly webhookId: string;
  readonly number: number;
  readonly hash: string;
  readonly orderId: string | null;
}

export interface RunWebhook {
  readonly id: string;
  readonly storeId: string;
  readonly secret: string;
  readonly receiver: Receiver;
}

export interface Receivers extends AsyncDisposable {
  readonly all: readonly Receiver[];
  readonly webhooks: readonly RunWebhook[];
  add(webhooks: readonly RunWebhook[]): Promise<void>;
}

export async function startReceivers(folder: string): Promise<Receivers> {
  await mkdir(folder, { recursive: true });
  const all = await Promise.all(ways.map((way) => startReceiver(way, folder)));
  const webhooks: RunWebhook[] = [];
  return {
    all,
    webhooks,
    async add(more) {
      webhooks.push(...more);
      await writeFile(`${folder}/secrets.json`, JSON.stringify(Object.fromEntries(webhooks.map(({ id, secret }) => [id, secret]))));
    },
    async [Symbol.asyncDispose]() {
      for (const receiver of all) receiver.kill();
      await Promise.all(all.map(({ exited }) => exited));
    },
  };
}

async function startReceiver(way: string, folder: string): Promise<Receiver> {
  let port = 0;
  let exited: Promise<unknown>;
  async function begin(): Promise<ChildProcess> {
    const started = fork(`${import.meta.dirname}/main.ts`, [way, folder, String(port)]);
    exited = once(started, 'exit');
    [port] = await Promise.race([
      once(started, 'message'),
      exited.then(() => Promise.reject(new Error(`the receiver by ${way} ended before it listened`))),
    ]);
    return started;
  }
  let child = await begin();
  const lines = (name: string) => {
    const file = `${folder}/${way}-${name}`;
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  };
  return {
    way,
    url: `http://127.0.0.1:${port}/hook`,
    get exited() {
      return exited;
    },
    kill: () => void child.kill('SIGKILL'),
    async restart() {
      child = await begin();
    },
    stored: () =>
      lines('stored').map((line) => {
        const [webhookId = '', number, hash = '', orderId = '-'] = line.split(' ');
        return { webhookId, number: Number(number), hash, orderId: orderId === '-' ? null : orderId };
      }),
    refused: () => lines('refused'),
  };
}
