import { type PastedMenu, parsePastedMenu } from '@corner/contracts';
import { DirectoryFaults } from './parse-directory.ts';

/**
 * Reads items from lines such as `Flat white,3.20` or, pasted, `Flat white 3.20`, or from a table with a heading, as the console does. Prices
 * are in the major unit of `currency`. Throws {@link DirectoryFaults} that name each wrong line.
 */
export function readMenu(text: string, currency: string): Omit<PastedMenu, 'faults'> {
  const { faults, ...menu } = parsePastedMenu(text, currency);
  if (faults.length > 0) throw new DirectoryFaults(faults.map((fault) => `line ${fault.line}: ${fault.text}`));
  if (menu.items.length === 0) throw new DirectoryFaults(['the file has no line with a name and a price']);
  return menu;
}
