/** A node of a plan, as `explain (format json)` writes it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'TID Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface WholeScan {
  /** The name of the table or of the index. */
  readonly of: string;
  /** For example "Seq Scan of message". */
  readonly text: string;
}

/**
 * Returns each scan of a plan that reads a table or an index from one end to the other. A scan of an index right under a limit reads no
 * more than the limit returns, so it is left out, unless it filters: it then reads on until enough rows pass.
 */
export function wholeScans(node: PlanNode, underLimit = false): WholeScan[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: children = [] } = node;
  const isScan = type.endsWith('Scan') && table !== undefined;
  const isBound = node['Index Cond'] ?? node['Recheck Cond'] ?? node['TID Cond'];
  const found =
    isScan && !isBound && !(underLimit && index && node.Filter === undefined)
      ? [{ of: index ?? table, text: `${type} of ${index ? `${index} on ` : ''}${table}` }]
      : [];
  const limited = type === 'Limit' || (underLimit && passesRowsOn.has(type));
  return [...found, ...children.flatMap((child) => wholeScans(child, limited))];
}

/** Nodes that ask their child for no more rows than they are asked for. */
const passesRowsOn = new Set(['LockRows', 'Result', 'Subquery Scan', 'ProjectSet']);
