import { createPgDriverFactory } from '@slonik/pg-driver';
import type { DriverFactory } from 'slonik';

/** The server did not answer. The code is the socket's own for the same fault, so that it counts as one that passes. */
export class PostgresTimeout extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(responseMs: number) {
    super(`Connection terminated: no answer from Postgres within ${responseMs} ms`);
    this.name = 'NoAnswerFromPostgres';
  }
}

/**
 * The Postgres driver, with an end to every wait: the server's own limits are worth nothing on a connection whose other
 * side is gone. Such a connection is thrown away, since its next user would wait as well.
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
            const { promise: late, reject } = Promise.withResolvers<never>();
            const timer = setTimeout(() => {
              reject(new PostgresTimeout(responseMs));
              void client.destroy().catch(() => {});
            }, responseMs);
            const answer = client.query(...statement);
            answer.catch(() => {}); // It ends with the connection, when nobody waits for it any more.
            try {
              return await Promise.race([answer, late]);
            } finally {
              clearTimeout(timer);
            }
          },
        };
      },
    };
  };
