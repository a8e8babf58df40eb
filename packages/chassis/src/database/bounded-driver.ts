import { createPgDriverFactory } from '@slonik/pg-driver';
import type { DriverFactory } from 'slonik';

/** The code is that of a socket in the same state, so the fault counts as transient. */
class PostgresTimeout extends Error {
  override readonly name = 'PostgresTimeout';
  readonly code = 'ETIMEDOUT';
  constructor(responseMs: number) {
    super(`Connection terminated: no response from Postgres within ${responseMs} ms`);
  }
}

/**
 * Returns a Postgres driver that ends every wait after `responseMs`: the server's own limits do not help once it is unreachable. The
 * connection is destroyed, since its next user would wait as well.
 */
export const boundedDriver =
  (responseMs: number): DriverFactory =>
  async (options) => {
    const driver = await createPgDriverFactory()(options);
    return {
      ...driver,
      async createClient() {
        const client = await driver.createClient();
        return {
          ...client,
          async query(...statement) {
            const { promise: timeout, reject } = Promise.withResolvers<never>();
            const timer = setTimeout(() => {
              reject(new PostgresTimeout(responseMs));
              void client.destroy().catch(() => {});
            }, responseMs);
            const result = client.query(...statement);
            result.catch(() => {}); // After a time-out it rejects with the connection, and nothing awaits it any more.
            try {
              return await Promise.race([result, timeout]);
            } finally {
              clearTimeout(timer);
            }
          },
        };
      },
    };
  };
