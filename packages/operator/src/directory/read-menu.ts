import { columnNames, type PastedMenu, parsePastedMenu } from '@corner/contracts';
import { DirectoryFaults } from './parse-directory.ts';

/**
 * Reads items from lines such as `Flat white,3.20` or, pasted, `Flat white 3.20`, or from a table with a heading. Prices are in the major
 * unit of `currency`. Throws {@link DirectoryFaults} that name each wrong line and each unknown column.
 */
export function readMenu(text: string, currency: string): Omit<PastedMenu, 'faults' | 'unknown'> {
  const { faults, unknown, ...menu } = parsePastedMenu(text, currency);
  const said = faults.map(({ line, words, text: fault }) => `line ${line}, “${words}”: ${fault}`);
  const columns = unknown.map(
    ({ heading }) => `the column “${heading}” is not known: call it one of ${columnNames.join(', ')}, or - to leave it out`,
  );
  if (said.length + columns.length > 0) throw new DirectoryFaults([...columns, ...said]);
  if (menu.items.length === 0) throw new DirectoryFaults(['the file has no line with a name and a price']);
  return menu;
}
