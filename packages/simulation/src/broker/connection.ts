/** A connection of one service. */
export class Connection {
  isClosed = false;
  lost = new AbortController();

  lose(): void {
    const { lost } = this;
    this.lost = new AbortController();
    lost.abort();
  }
}
