import { join } from 'node:path';
import type { ProcessConfig } from '@corner/chassis';
import { type HostedProgram, hostProgram, type Program, type Runnable } from '@corner/chassis/host';
import { type TcpProxy, type TestIssuer, tcpProxyTo } from '@corner/testkit';
import { Connection } from '../broker/connection.ts';
import type { SimulatedBroker } from '../broker/simulated-broker.ts';
import type { SimulatedClock } from '../clock.ts';
import type { Gate, Life } from '../gate.ts';
import { randomOf } from '../random.ts';

export interface Ground {
  readonly seed: number;
  readonly clock: SimulatedClock;
  readonly broker: SimulatedBroker;
  readonly gate: Gate;
  readonly issuer: TestIssuer;
  readonly databaseUrl: string;
  /**
   * A crash ends the connections to the `wires`. A restart has the same address and new wires; the crashed life goes on in memory, cut off
   * from everything.
   */
  readonly settings: Readonly<Record<string, string>>;
  readonly wires?: Readonly<Record<string, string>>;
  readonly write: (lines: string) => void;
}

interface Listening extends Runnable {
  readonly url: string;
}

export class ServicePlace<Config extends ProcessConfig, Started extends Listening> implements AsyncDisposable {
  readonly #program: Program<Config, Started>;
  readonly #ground: Ground;
  readonly #newId: () => string;
  #front: TcpProxy | null = null;
  #life: Life | null = null;
  #over: Promise<void> = Promise.resolve();
  #hosted: HostedProgram<Started> | null = null;
  readonly #dead: AsyncDisposable[] = [];

  constructor(program: Program<Config, Started>, ground: Ground) {
    this.#program = program;
    this.#ground = ground;
    const { seed, clock } = ground;
    const random = randomOf(seed, program.name);
    // Times in ids count from the start, so that the ids of one run are those of any other.
    this.#newId = () => random.uuid(new Date(Date.UTC(2026, 0, 1) + clock.elapsedMs()));
  }

  get url(): string {
    return (this.#front as TcpProxy).url;
  }

  get hosted(): HostedProgram<Started> | null {
    return this.#life?.isOver ? null : this.#hosted;
  }

  get over(): Promise<void> {
    return this.#over;
  }

  crashIn(transactions: number, when: 'before' | 'after'): void {
    if (this.#life) this.#life.end = { left: transactions, when };
  }

  spare(): void {
    if (this.#life) this.#life.end = null;
  }

  async start(): Promise<void> {
    const { broker, gate, clock, issuer, databaseUrl, settings, wires = {}, write } = this.#ground;
    const connection = new Connection(this.#program.name);
    const proxies = new Map<string, TcpProxy>();
    for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, ...wires })) proxies.set(name, await tcpProxyTo(url));
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#over = over;
    const life: Life = {
      isOver: false,
      end: null,
      cut: () => {
        broker.cut(connection);
        this.#front?.cut();
        for (const proxy of proxies.values()) proxy.cut();
        end();
      },
    };
    this.#life = life;
    const hosted = await hostProgram(this.#program, {
      folder: join(import.meta.dirname, '..', '..'),
      environment: { ...settings, ...Object.fromEntries([...proxies].map(([name, { url }]) => [name, url])) },
      write: (lines) => void (life.isOver || write(lines)),
      overrides: {
        clock: clock.of(this.#program.name),
        now: clock.now,
        newId: this.#newId,
        keys: issuer.keys,
        timersHeld: true,
        broker: () => broker.connect(connection),
        turns: gate.of(this.#program.name, life),
      },
    });
    this.#hosted = hosted;
    this.#dead.push({
      async [Symbol.asyncDispose]() {
        const stopping = hosted.stop('the end').catch(() => {});
        if (!life.isOver) await stopping;
        await Promise.all([...proxies.values()].map((proxy) => proxy[Symbol.asyncDispose]()));
      },
    });
    this.#front ??= await tcpProxyTo(hosted.started.url);
    this.#front.redirect(hosted.started.url);
    this.#front.mend();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.spare();
    for (const life of this.#dead.reverse()) await life[Symbol.asyncDispose]();
    await this.#front?.[Symbol.asyncDispose]();
  }
}
