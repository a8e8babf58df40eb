/**
 * The names in code quotes of a row of a Markdown table that are names of `known`, sorted; none when there is no such row.
 * A name that starts with a dot takes the noun of the name before it: `queue.joined`, `.called` are queue.joined and
 * queue.called. `stamp.*` is every known name that starts with `stamp.`.
 */
export function readRow(markdown: string, title: string, known: readonly string[]): string[] {
  const row = markdown.split('\n').find((line) => new RegExp(`^\\|\\W*${title}\\b`).test(line)) ?? '';
  let noun = '';
  const names = [...row.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = '']) => {
    const name = quoted.startsWith('.') ? `${noun}${quoted}` : quoted;
    noun = name.split('.', 1)[0] ?? '';
    return name.endsWith('.*') ? known.filter((other) => other.startsWith(`${noun}.`)) : name;
  });
  return [...new Set(names)].filter((name) => known.includes(name)).sort();
}
