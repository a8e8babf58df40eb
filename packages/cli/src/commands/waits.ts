import { type RecountedWaits, recountWaits } from '@corner/operator';
import { Command } from 'commander';
import { recountCommand } from './recount.ts';

const recount = recountCommand('waits', {
  description:
    'Compares the quoted waits of a range of days with the real ones, from the store’s events alone, as readStoreQueue compares them.',
  recount: recountWaits,
  linesOf,
});

export const waitsCommand = new Command('waits')
  .description('Shows how well a store keeps the waits that it quotes.')
  .addHelpText('after', '\nExample:\n  npx corner waits recount page-1.json --from 2026-11-03 --to 2026-11-30\n')
  .addCommand(recount);

function linesOf({ quotes, kept, kept_percent: percent, late_by_min: late }: RecountedWaits): string {
  const share = percent === null ? '' : `: ${percent} %; nine of ten were late by ${late} min at most`;
  return `  ${kept} of ${quotes} quoted waits were kept${share}\n`;
}
