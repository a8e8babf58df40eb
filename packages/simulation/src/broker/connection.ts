import { AsyncLocalStorage } from 'node:async_hooks';

export const servedFor = new AsyncLocalStorage<string>();

export class Connection {
  readonly name: string;
  isClosed = false;
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
