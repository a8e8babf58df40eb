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
  readonly of: string;
  readonly text: string;
}

/** An index scan right under a limit reads no more than that, unless it filters. */
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

const passesRowsOn = new Set(['LockRows', 'Result', 'Subquery Scan', 'ProjectSet']);
