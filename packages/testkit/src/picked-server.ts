/** A server that the tests use. */
export interface PickedServer {
  readonly url: string;
  /** What it is: "embedded Postgres 18.4". */
  readonly description: string;
  stop(): Promise<void>;
}
