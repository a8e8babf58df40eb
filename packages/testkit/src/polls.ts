import { withClient } from './run-database.ts';

export interface PolledRead {
  readonly path: string;
  readonly token: string | null;
}

export interface Polls {
  /**
   * Polls each read with its ETag, and reads it in full. Returns the faults: a 304 although the response has changed, a 200 although it has
   * not, or a 200 with another response. The service's clock must stand still.
   */
  faults(): Promise<readonly string[]>;
  statuses(): Promise<readonly number[]>;
}

export function pollsOf(serviceUrl: string, reads: readonly PolledRead[]): Polls {
  const tags = new Map<PolledRead, string>();
  const send = ({ path, token }: PolledRead, tag: string | undefined) => {
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(tag ? { 'if-none-match': tag } : {}) };
    return fetch(`${serviceUrl}${path}`, { headers });
  };
  const faultOf = async (read: PolledRead): Promise<string | null> => {
    const had = tags.get(read);
    const polled = await send(read, had);
    const [body, full] = [await polled.text(), await send(read, undefined)];
    const [whole, tag] = [await full.text(), full.headers.get('etag') ?? ''];
    tags.set(read, tag);
    if (full.status !== 200) return `${read.path} received ${full.status}`;
    if (polled.status === 304) return had === tag ? null : `${read.path} received 304 for ${had}, and is ${whole}`;
    return body === whole && had !== tag ? null : `${read.path} received ${polled.status} for ${had}: ${body}, and is ${tag}: ${whole}`;
  };
  return {
    async faults() {
      const faults: string[] = [];
      for (const read of reads) {
        const fault = await faultOf(read);
        if (fault) faults.push(fault);
      }
      return faults;
    },
    async statuses() {
      const statuses: number[] = [];
      for (const read of reads) statuses.push((await send(read, tags.get(read))).status);
      return statuses;
    },
  };
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const tablesOf = ({ 'Relation Name': table, Plans = [] }: Plan): string[] => [...(table ? [table] : []), ...Plans.flatMap(tablesOf)];

export async function tablesWithoutNotes(url: string, statements: readonly string[]): Promise<readonly string[]> {
  return await withClient(url, async (client) => {
    const read = new Set<string>();
    for (const text of new Set(statements)) {
      const { rows } = await client.query(`explain (generic_plan, format json) ${text.replaceAll('$slonik_', '$')}`);
      for (const table of tablesOf(rows[0]['QUERY PLAN'][0].Plan)) read.add(table);
    }
    const { rows } = await client.query<{ name: string }>(
      `select t.name from unnest($1::text[]) as t(name)
       where not exists (select from pg_trigger where tgrelid = t.name::regclass and tgname like 'note_%') order by 1`,
      [[...read]],
    );
    return rows.map(({ name }) => name);
  });
}
