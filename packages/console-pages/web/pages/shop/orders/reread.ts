/** At most this many changed orders are read one by one; more at once are read as pages again. */
const mostAtOnce = 30;

interface Options<T> {
  read(id: string): Promise<T>;
  /** Receives what was read, unless something newer was received before. */
  receive(id: string, value: T): void;
  /** Reads everything again. */
  reset(): void;
  /** Called with an error of a read; the row stays as it was. */
  failed(id: string, error: unknown): void;
}

/** Things by their ids. */
export type Rows<T> = ReadonlyMap<string, T>;

/** The rows with another one, or without it. */
export function withRow<T>(rows: Rows<T>, id: string, row?: T): Rows<T> {
  const after = new Map(rows);
  if (row === undefined) after.delete(id);
  else after.set(id, row);
  return after;
}

/** The rows that came after those of `before`: everything was read again meanwhile, so older ones are not newer than the pages any more. */
export const since = <T>(before: Rows<T>, rows: Rows<T>): Rows<T> => new Map([...rows].filter(([id, row]) => before.get(id) !== row));

/**
 * Reads changed rows again, each once for all changes that arrive in one turn. Of two reads of a row, only the one that began later is
 * received, so an older state never replaces a newer one.
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
    /** Notes that a row has changed. */
    changed(id: string): void {
      if (waiting.size === 0) setTimeout(flush, 0);
      waiting.add(id);
    },
    /** Runs a change whose result is the new state of the row. */
    async through<R extends T>(id: string, change: () => Promise<R>): Promise<R> {
      const ticket = ++drawn;
      const value = await change();
      accept(ticket, id, value);
      return value;
    },
  };
}
