import { type Recounted, recountStamps } from '@corner/operator';
import { Command } from 'commander';
import { recountCommand } from './recount.ts';

const recount = recountCommand('stamps', {
  description: 'Counts the stamps of a range of days by what proves them, from the store’s events alone, as readStampEvidence counts them.',
  recount: recountStamps,
  linesOf,
});

export const stampsCommand = new Command('stamps')
  .description('Shows what proves the stamps of a store.')
  .addHelpText('after', '\nExample:\n  npx corner stamps recount page-1.json --from 2026-11-01 --to 2026-11-30\n')
  .addCommand(recount);

function linesOf({ stamps, proved, evidence }: Recounted): string {
  const share = stamps === 0 ? '' : `: ${Math.floor((proved / stamps) * 100)} %`;
  const rows = evidence.map((row) => `  ${row.evidence.padEnd(11)}${row.stamps}\n`);
  return `${rows.join('')}  ${proved} of ${stamps} stamps are proved by a tap or a payment${share}\n`;
}
