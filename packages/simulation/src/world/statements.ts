import pg from 'pg';

let underWay = 0;

/** Statements and logins of this process that have no result yet. Postgres itself may not have begun with one that was sent. */
export const statementsUnderWay = (): number => underWay;

type Sending = (...sent: unknown[]) => unknown;

function count(method: 'connect' | 'query'): void {
  const client = pg.Client.prototype as unknown as Record<string, Sending>;
  const send = client[method] as Sending;
  client[method] = function counted(...sent) {
    const result = send.apply(this, sent);
    if (!(result instanceof Promise)) return result;
    underWay += 1;
    const end = () => {
      underWay -= 1;
    };
    result.then(end, end);
    return result;
  };
}

count('connect');
count('query');
