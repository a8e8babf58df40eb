import type pg from 'pg';

export interface TableLock {
  readonly table: string;
  readonly lock: string;
  readonly rewritten: boolean;
}

const modes = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
];

const nameOf = (mode: string): string =>
  mode
    .replace(/Lock$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();

/**
 * Returns the strongest lock that a statement takes on each existing table. Outside a transaction the locks are released before they can be
 * read, so those of an index are known in advance.
 */
export async function locksOf(client: pg.Client, schema: string, statement: string, transaction: boolean): Promise<readonly TableLock[]> {
  if (!transaction) {
    const table = await tableOfIndex(client, statement);
    await client.query(statement);
    return table === null ? [] : [{ table, lock: nameOf('ShareUpdateExclusiveLock'), rewritten: false }];
  }
  const before = await filesOf(client, schema);
  await client.query('begin');
  await client.query(statement);
  const { rows } = await client.query<{ table: string; modes: string[] }>(
    `select c.relname as table, array_agg(l.mode) as modes from pg_locks l join pg_class c on c.oid = l.relation
     where l.pid = pg_backend_pid() and c.relname = any($1) and c.relnamespace = to_regnamespace($2)::oid group by 1 order by 1`,
    [[...before.keys()], schema],
  );
  const after = await filesOf(client, schema);
  await client.query('commit');
  return rows.map(({ table, modes: held }) => ({
    table,
    lock: nameOf(modes.findLast((mode) => held.includes(mode)) ?? ''),
    rewritten: after.has(table) && after.get(table) !== before.get(table),
  }));
}

async function filesOf(client: pg.Client, schema: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ table: string; file: string }>(
    `select relname as table, pg_relation_filenode(oid)::text as file from pg_class where relnamespace = to_regnamespace($1)::oid and relkind = 'r'`,
    [schema],
  );
  return new Map(rows.map(({ table, file }) => [table, file]));
}

async function tableOfIndex(client: pg.Client, statement: string): Promise<string | null> {
  const built = /\son\s+(?<table>\w+)/i.exec(statement)?.groups?.table;
  if (built) return built;
  const dropped = /(?<index>\w+)$/.exec(statement)?.groups?.index ?? '';
  const { rows } = await client.query<{ table: string }>(
    'select c.relname as table from pg_index i join pg_class c on c.oid = i.indrelid where i.indexrelid = to_regclass($1)',
    [dropped],
  );
  return rows[0]?.table ?? null;
}

const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<tag>\$\w*\$)[\s\S]*?\k<tag>|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$;\-/]+|[\s\S]/g;

/** A semicolon in quotes or in the body of a function ends no statement. Comments are removed. */
export function splitStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let open = '';
  for (const [token] of sql.matchAll(tokens)) {
    if (token === ';') {
      statements.push(open.trim());
      open = '';
    } else if (!token.startsWith('--') && !token.startsWith('/*')) open += token;
  }
  return [...statements, open.trim()].filter((statement) => statement !== '');
}
