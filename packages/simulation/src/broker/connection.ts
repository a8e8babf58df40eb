/** A connection of one service. */
export class Connection {
  isClosed = false;
  /** Whether its program has crashed: what it still asks for never comes. */
  isCut = false;
  lost = new AbortController();

  lose(): void {
    const { lost } = this;
    this.lost = new AbortController();
    lost.abort();
  }
}
