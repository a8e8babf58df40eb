import type pg from 'pg';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

export interface Plan {
  readonly root: Node;
  readonly ms: number;
  readonly isGeneric: boolean;
  readonly text: string;
}

export async function explain(client: pg.Client, statement: string): Promise<Plan> {
  const run = async <Row extends object>(options: string) => {
    await client.query('begin');
    try {
      return await client.query<Row>(`explain (analyze, buffers${options}) ${statement}`);
    } finally {
      await client.query('rollback');
    }
  };
  const text = await run<{ 'QUERY PLAN': string }>('');
  const json = await run<{ 'QUERY PLAN': [{ Plan: Node; 'Execution Time': number }] }>(', format json');
  const [plan] = json.rows[0]?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('the server returned no plan');
  const printed = text.rows.map((row) => row['QUERY PLAN']).join('\n');
  return { root: plan.Plan, ms: plan['Execution Time'], isGeneric: printed.includes('$1'), text: printed };
}

/** Counts blocks of 8 KiB, read from the cache or the disk. */
export const blocksOf = ({ root }: Plan): number => root['Shared Hit Blocks'] + root['Shared Read Blocks'];

/** Orders should be read by an index in the order of the result, and lines of returned orders only. */
export function orderPlanFaults({ root }: Plan, maxRows: number): string[] {
  const nodes = flat(root);
  const scans = nodes.filter((node) => node['Relation Name'] === 'orders');
  const lines = nodes.filter((node) => node['Relation Name'] === 'order_line');
  return [
    ...(scans.some((node) => node['Index Name']) ? [] : ['no index of orders is read']),
    ...nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => `all of ${node['Relation Name']} is read`),
    ...scans.filter((node) => node['Actual Rows'] * node['Actual Loops'] > maxRows).map((node) => `${node['Actual Rows']} orders are read`),
    ...scans
      .filter((node) => node['Rows Removed by Filter'])
      .map((node) => `${node['Rows Removed by Filter']} orders are read and discarded`),
    ...lines.filter((node) => node['Actual Loops'] > root['Actual Rows']).map((node) => `lines of ${node['Actual Loops']} orders are read`),
  ];
}

export function wastedReads({ root }: Plan, tables: readonly string[], allowed = 0): string[] {
  return flat(root)
    .filter((node) => tables.includes(node['Relation Name'] ?? ''))
    .flatMap((node) => [
      ...(node['Node Type'] === 'Seq Scan' ? [`all of ${node['Relation Name']} is read`] : []),
      ...((node['Rows Removed by Filter'] ?? 0) > allowed
        ? [`${node['Rows Removed by Filter']} of ${node['Relation Name']} are read and discarded`]
        : []),
    ]);
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
