const mostAtOnce = 30;

interface Options<T> {
  read(id: string): Promise<T>;
  receive(id: string, value: T): void;
  reset(): void;
  failed(id: string, error: unknown): void;
}

export type Rows<T> = ReadonlyMap<string, T>;

export function withRow<T>(rows: Rows<T>, id: string, row?: T): Rows<T> {
  const after = new Map(rows);
  if (row === undefined) after.delete(id);
  else after.set(id, row);
  return after;
}

/** Everything was read again meanwhile, so rows older than `before` are no newer than the pages. */
export const since = <T>(before: Rows<T>, rows: Rows<T>): Rows<T> => new Map([...rows].filter(([id, row]) => before.get(id) !== row));

/**
 * Reads changed rows again, each once for all changes of one turn of the event loop. Of two reads of a row, only the one that began later
 * is received, so an older state never replaces a newer one. `through` runs a change whose result is the new state of the row; `reset`
 * reads everything again.
 */
export function createReread<T>({ read, receive, reset, failed }: Options<T>) {
  let waiting = new Set<string>();
  let drawn = 0;
  const received = new Map<string, number>();

  const accept = (ticket: number, id: string, value: T): void => {
    if ((received.get(id) ?? 0) > ticket) return;
    received.set(id, ticket);
    receive(id, value);
  };
  const readOne = async (id: string): Promise<void> => {
    const ticket = ++drawn;
    try {
      accept(ticket, id, await read(id));
    } catch (error) {
      failed(id, error);
    }
  };
  const flush = (): void => {
    const ids = waiting;
    waiting = new Set();
    if (ids.size > mostAtOnce) reset();
    else for (const id of ids) void readOne(id);
  };

  return {
    changed(id: string): void {
      if (waiting.size === 0) setTimeout(flush, 0);
      waiting.add(id);
    },
    async through<R extends T>(id: string, change: () => Promise<R>): Promise<R> {
      const ticket = ++drawn;
      const value = await change();
      accept(ticket, id, value);
      return value;
    },
  };
}
