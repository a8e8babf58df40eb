import { type RecountedQuotes, type RecountedWaits, recountReadyTimes, recountWaits } from '@corner/operator';
import { Command } from 'commander';
import { recountCommand } from './recount.ts';

const recount = recountCommand('waits', {
  description:
    'Compares the quoted waits and ready times of a range of days with the real ones, from the store’s events alone, as readStoreQueue and readMenu compare them.',
  recount: (payloads, range) => ({ waits: recountWaits(payloads, range), ready_times: recountReadyTimes(payloads, range) }),
  linesOf,
});

export const waitsCommand = new Command('waits')
  .description('Shows how well a store keeps the waits and ready times that it quotes.')
  .addHelpText('after', '\nExample:\n  npx corner waits recount page-1.json --from 2026-11-03 --to 2026-11-30\n')
  .addCommand(recount);

interface Recounted {
  readonly waits: RecountedWaits;
  readonly ready_times: RecountedQuotes;
}

function linesOf({ waits, ready_times: ready }: Recounted): string {
  const late = waits.late_by_min === null ? '' : `; nine of ten were late by ${waits.late_by_min} min at most`;
  return `  ${keptText(waits, 'waits')}${late}\n  ${keptText(ready, 'ready times')}\n`;
}

const keptText = ({ quotes, kept, kept_percent: percent }: RecountedQuotes, of: string): string =>
  `${kept} of ${quotes} quoted ${of} were kept${percent === null ? '' : `: ${percent} %`}`;
