import { CornerError, type CornerClient, createClient } from '@corner/client';
import { importDirectory } from '@corner/operator';
import pg from 'pg';
import { type History, openHistory } from '../invariants/history.ts';
import { type Random, randomOf } from '../random.ts';
import type { SimulatedPlatform } from './platform.ts';
import { type Cast, castOf, directoryOf } from './shop.ts';

/** What callers know of an order. */
export interface KnownOrder {
  readonly id: string;
  readonly who: number;
  readonly intentId: string | null;
  /** The key under which each refund is asked for, by its attempt. */
  readonly key: string;
}

/** A call as it ended: its status, and the code of its error. */
export interface Outcome {
  readonly status: number;
  readonly code: string | null;
}

/** A shop, its customers and its staff, who call the platform as apps do. */
export class World implements AsyncDisposable {
  readonly platform: SimulatedPlatform;
  readonly cast: Cast;
  readonly random: Random;
  readonly history: History = openHistory();
  readonly orders: KnownOrder[] = [];
  /** Places in the queue. */
  readonly entries: string[] = [];
  /** Responses that no caller should get. */
  readonly wrong: string[] = [];
  readonly erased = new Set<string>();
  readonly database: pg.Client;
  #calls = 0;

  private constructor(platform: SimulatedPlatform, database: pg.Client) {
    this.platform = platform;
    this.database = database;
    this.cast = castOf(platform.seed);
    this.random = randomOf(platform.seed, 'world');
  }

  /** Opens the shop on a platform that has just started. */
  static async open(platform: SimulatedPlatform): Promise<World> {
    const database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    const world = new World(platform, database);
    platform.payments.controls.registerAccount(world.cast.account);
    await importDirectory(platform.call, directoryOf(world.cast, platform.clock.now()), { by: 'simulation' });
    platform.broker.hold(true);
    return world;
  }

  /** Finds an order by its position, counted back from the latest. */
  order(position: number): KnownOrder | undefined {
    return this.orders.at(-1 - (position % Math.max(1, this.orders.length)));
  }

  entry(position: number): string | undefined {
    return this.entries.at(-1 - (position % Math.max(1, this.entries.length)));
  }

  /** Calls as a customer, by number. */
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
    this.#calls += 1;
    const requestId = `c${this.#calls}`;
    const client = createClient({
      baseUrl: this.platform.gatewayUrl,
      token: await this.platform.issuer.token(claims),
      newKey: () => this.random.uuid(),
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
      // An outside party that fails, and a service that no reply of another reaches.
      if (error.status >= 500 && ![502, 503].includes(error.status)) this.wrong.push(`${requestId}: ${error.status} ${error.code}`);
      return { status: error.status, code: error.code };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.end();
  }
}
