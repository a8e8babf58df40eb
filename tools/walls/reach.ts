import { type Files, resolve } from './find-breaches.ts';
import { readSource } from './read-source.ts';

/** Follows value imports; includes the file itself. An index.ts counts nothing: the file behind a name does. */
export function reachOf(path: string, files: Files, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const service = path.slice(0, path.indexOf('/src/'));
  for (const { specifier, values, typeOnly } of readSource(path, files.get(path) ?? '').imports) {
    const target = specifier === null || typeOnly ? null : resolve(path, specifier);
    if (target === null || !target.startsWith(`${service}/`) || !files.has(target)) continue;
    for (const behind of target.endsWith('/index.ts') ? standIn(target, values, files) : [target]) reachOf(behind, files, found);
  }
  return found;
}

const standIn = (index: string, names: readonly string[], files: Files): string[] =>
  readSource(index, files.get(index) ?? '').imports.flatMap(({ specifier, values }) =>
    specifier !== null && values.some((name) => names.includes(name)) ? (resolve(index, specifier) ?? []) : [],
  );
