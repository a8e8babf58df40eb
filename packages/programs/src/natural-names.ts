import { parseSync, type Span } from 'oxc-parser';

type Node = Span & { readonly type: string } & Readonly<Record<string, unknown>>;

/**
 * Returns the code of a bundle without those calls of esbuild's `__name` that give a function the name it has anyway. Each of them would
 * run whenever the function is made, as often as a request makes its closures. Spaces take their place, so that every character stays where
 * the source map has it.
 */
export function withNaturalNames(code: string): string {
  const spans: [number, number][] = [];
  const visit = (node: Node): void => {
    spans.push(...needless(node));
    for (const child of Object.values(node)) for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one);
  };
  visit(parseSync('bundle.js', code, { sourceType: 'module' }).program as unknown as Node);
  let kept = '';
  let at = 0;
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    kept += code.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return kept + code.slice(at);
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

function needless(node: Node): [number, number][] {
  const [target, value] = assignments[node.type] ?? [];
  const call = namingOf(value === undefined ? node : node[value]);
  if (!call) return [];
  const { given, name } = call;
  const isNamed =
    value === undefined || target === undefined
      ? nameOf(given) === name
      : nameOf(node[target]) === name && node.computed !== true && isNameless(given);
  return isNamed
    ? [
        [call.start, given.start],
        [given.end, call.end],
      ]
    : [];
}

const isNameless = ({ type, id }: Node): boolean => type === 'ArrowFunctionExpression' || (type === 'FunctionExpression' && !id);

const assignments: Readonly<Record<string, readonly [string, string]>> = {
  VariableDeclarator: ['id', 'init'],
  AssignmentExpression: ['left', 'right'],
  AssignmentPattern: ['left', 'right'],
  Property: ['key', 'value'],
};

const nameOf = (target: unknown): unknown => (isNode(target) && target.type === 'Identifier' ? target.name : null);

function namingOf(value: unknown): { readonly start: number; readonly end: number; readonly given: Node; readonly name: unknown } | null {
  if (!isNode(value) || value.type !== 'CallExpression' || nameOf(value.callee) !== '__name') return null;
  const [given, name] = value.arguments as Node[];
  return given && name ? { start: value.start, end: value.end, given, name: name.value } : null;
}
