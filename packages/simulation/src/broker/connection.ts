import { AsyncLocalStorage } from 'node:async_hooks';

/** The program for which a request is served at this moment. */
export const servedFor = new AsyncLocalStorage<string>();

/** A connection of one service. */
export class Connection {
  readonly name: string;
  isClosed = false;
  /** Whether its program has crashed: what it still asks for never comes. */
  isCut = false;
  lost = new AbortController();

  constructor(name: string) {
    this.name = name;
  }

  lose(): void {
    const { lost } = this;
    this.lost = new AbortController();
    lost.abort();
  }
}
