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

/** How the server carried a statement out. */
export interface Plan {
  readonly root: Node;
  /** Execution, without planning. */
  readonly ms: number;
  /** Whether it was planned once for whatever values come, or anew for these. */
  readonly forAnyValues: boolean;
  /** As the server prints it. */
  readonly text: string;
}

/** Carries a statement out, twice, and answers how: once for reading and once for checking. */
export async function explain(client: pg.Client, statement: string): Promise<Plan> {
  const text = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${statement}`);
  const json = await client.query<{ 'QUERY PLAN': [{ Plan: Node; 'Execution Time': number }] }>(
    `explain (analyze, buffers, format json) ${statement}`,
  );
  const [plan] = json.rows[0]?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('the server explained nothing');
  const words = text.rows.map((row) => row['QUERY PLAN']).join('\n');
  return { root: plan.Plan, ms: plan['Execution Time'], forAnyValues: words.includes('$1'), text: words };
}

/** Blocks of 8 KiB it looked into, wherever they were. */
export const blocksOf = ({ root }: Plan): number => root['Shared Hit Blocks'] + root['Shared Read Blocks'];

/** What is wrong with a plan that should read orders by an index in the order they are answered, and lines of answered orders alone. */
export function faultsOf({ root }: Plan, mostRows: number): string[] {
  const nodes = flat(root);
  const scans = nodes.filter((node) => node['Relation Name'] === 'orders');
  const lines = nodes.filter((node) => node['Relation Name'] === 'order_line');
  return [
    ...(scans.some((node) => node['Index Name']) ? [] : ['no index of orders is read']),
    ...nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => `all of ${node['Relation Name']} is read`),
    ...scans
      .filter((node) => node['Actual Rows'] * node['Actual Loops'] > mostRows)
      .map((node) => `${node['Actual Rows']} orders are read`),
    ...scans.filter((node) => node['Rows Removed by Filter']).map((node) => `${node['Rows Removed by Filter']} orders are read in vain`),
    ...lines.filter((node) => node['Actual Loops'] > root['Actual Rows']).map((node) => `lines of ${node['Actual Loops']} orders are read`),
  ];
}

/** What of these tables a plan reads whole, or reads and drops, if that is more than `few` rows. */
export function readInVain({ root }: Plan, tables: readonly string[], few = 0): string[] {
  return flat(root)
    .filter((node) => tables.includes(node['Relation Name'] ?? ''))
    .flatMap((node) => [
      ...(node['Node Type'] === 'Seq Scan' ? [`all of ${node['Relation Name']} is read`] : []),
      ...((node['Rows Removed by Filter'] ?? 0) > few
        ? [`${node['Rows Removed by Filter']} of ${node['Relation Name']} are read in vain`]
        : []),
    ]);
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
