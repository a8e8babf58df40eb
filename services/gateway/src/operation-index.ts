import type { AnyOperation } from '@corner/contracts';

/** Tells which operation a request is for, reading paths as the services do: letter case and one trailing slash do not matter. */
export type FindOperation = (method: string | undefined, pathname: string) => AnyOperation | undefined;

export function indexOperations(contracts: readonly AnyOperation[]): FindOperation {
  const literal = new Map<string, AnyOperation>();
  const patterns: { readonly method: string; readonly pattern: RegExp; readonly operation: AnyOperation }[] = [];
  for (const operation of contracts) {
    const { method, path } = operation;
    if (path.includes('{')) patterns.push({ method, pattern: patternOf(path), operation });
    else literal.set(`${method} ${path.toLowerCase()}`, operation);
  }
  return (method, pathname) => {
    // Services answer HEAD with the headers of GET.
    const verb = method === 'HEAD' ? 'GET' : (method ?? '');
    const path = pathname.toLowerCase().replace(/\/$/, '');
    return (
      literal.get(`${verb} ${path}`) ?? patterns.find((candidate) => candidate.method === verb && candidate.pattern.test(path))?.operation
    );
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.toLowerCase().replaceAll(/\{\w+\}|[.*+?^$()|[\]\\]/g, (part) => (part.startsWith('{') ? '[^/]+' : `\\${part}`))}$`);
