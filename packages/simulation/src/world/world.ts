import { AsyncLocalStorage } from 'node:async_hooks';
import { withLogFields } from '@corner/chassis';
import { type CornerClient, CornerError, createClient } from '@corner/client';
import { DirectoryFile, entriesInFile, runImport, stageImport } from '@corner/contracts';
import pg from 'pg';
import { quarterMs } from '../clock.ts';
import { type History, openHistory } from '../invariants/history.ts';
import { type Random, randomOf } from '../random.ts';
import { deliverAll } from './deliver-all.ts';
import type { SimulatedPlatform } from './platform.ts';
import { type Cast, castOf, directoryOf } from './shop.ts';

export interface KnownOrder {
  readonly id: string;
  readonly who: number;
  readonly intentId: string | null;
  readonly key: string;
}

export interface Outcome {
  readonly status: number;
  readonly code: string | null;
}

interface Hand {
  readonly name: string;
  calls: number;
  readonly random: Random;
}

export interface KnownBooking {
  readonly id: string;
  readonly who: number;
}

export class World implements AsyncDisposable {
  readonly platform: SimulatedPlatform;
  readonly cast: Cast;
  readonly history: History = openHistory();
  readonly orders: KnownOrder[] = [];
  readonly entries: string[] = [];
  readonly bookings: KnownBooking[] = [];
  readonly classes: string[] = [];
  readonly wrong: string[] = [];
  readonly erased = new Set<string>();
  readonly database: pg.Client;
  readonly #hands = new AsyncLocalStorage<Hand>();

  private constructor(platform: SimulatedPlatform, database: pg.Client) {
    this.platform = platform;
    this.database = database;
    this.cast = castOf(platform.seed);
  }

  static async open(platform: SimulatedPlatform): Promise<World> {
    const database = new pg.Client({ connectionString: platform.databaseUrl });
    database.on('error', () => {});
    await database.connect();
    const world = new World(platform, database);
    platform.payments.controls.registerAccount(world.cast.account);
    await world.#importDirectory();
    return world;
  }

  async #importDirectory(): Promise<void> {
    const { call, clock, gate } = this.platform;
    const import_id = randomOf(this.platform.seed, 'import').uuid();
    const by = 'simulation';
    const entries = entriesInFile(DirectoryFile.parse(directoryOf(this.cast, clock.now())));
    const [imported] = await gate.carry({
      import: () =>
        withLogFields({ request_id: 'import.1' }, async () => {
          await call(stageImport, { import_id, part: 0, entries, by });
          await call(runImport, { import_id, parts: 1, by });
        }),
    });
    if (imported?.status === 'rejected') throw imported.reason;
    await deliverAll(this.platform);
  }

  inStep<T>(name: string, work: () => Promise<T>): Promise<T> {
    const inIts = () => withLogFields({ request_id: `${name}.operator` }, work);
    return this.#hands.run({ name, calls: 0, random: randomOf(this.platform.seed, name) }, inIts);
  }

  get #hand(): Hand {
    const hand = this.#hands.getStore();
    if (!hand) throw new Error('no step is taken');
    return hand;
  }

  get step(): string {
    return this.#hand.name;
  }

  get random(): Random {
    return this.#hand.random;
  }

  order(position: number): KnownOrder | undefined {
    return this.orders.at(-1 - (position % Math.max(1, this.orders.length)));
  }

  soldAt(): string {
    return new Date(this.platform.clock.now().getTime() - 600_000).toISOString();
  }

  quarter(ahead: number): string {
    return new Date((Math.ceil(this.platform.clock.now().getTime() / quarterMs) + ahead) * quarterMs).toISOString();
  }

  booking(position: number): KnownBooking | undefined {
    return this.bookings.at(-1 - (position % Math.max(1, this.bookings.length)));
  }

  entry(position: number): string | undefined {
    return this.entries.at(-1 - (position % Math.max(1, this.entries.length)));
  }

  asCustomer<T>(who: number, call: (client: CornerClient) => Promise<{ readonly data: T }>): Promise<Outcome & { readonly data?: T }> {
    return this.#call({ typ: 'customer', sub: this.cast.customers[who] as string }, call);
  }

  asStaff<T>(call: (client: CornerClient) => Promise<{ readonly data: T }>): Promise<Outcome & { readonly data?: T }> {
    const { staff: sub, storeId: id } = this.cast;
    return this.#call({ typ: 'merchant', sub, name: 'Bo', stores: [{ id, role: 'owner' }] }, call);
  }

  async #call<T>(
    claims: Parameters<SimulatedPlatform['issuer']['token']>[0],
    call: (client: CornerClient) => Promise<{ readonly data: T }>,
  ): Promise<Outcome & { readonly data?: T }> {
    const hand = this.#hand;
    hand.calls += 1;
    const requestId = `${hand.name}.${hand.calls}`;
    const client = createClient({
      baseUrl: this.platform.gatewayUrl,
      token: await this.platform.issuer.token(claims),
      newKey: () => hand.random.uuid(),
      attempts: 1,
      attemptMs: 600_000,
      fetch: (request) => {
        request.headers.set('X-Request-Id', requestId);
        return fetch(request);
      },
    });
    try {
      return { status: 200, code: null, data: (await call(client)).data };
    } catch (error) {
      if (!(error instanceof CornerError)) throw error;
      if (error.status >= 500 && ![502, 503].includes(error.status)) this.wrong.push(`${requestId}: ${error.status} ${error.code}`);
      return { status: error.status, code: error.code };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.end();
  }
}
