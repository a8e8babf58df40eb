import { type PartProgress, watchedParts } from '@corner/sandbox/system';
import { faint, green, type Output, seconds } from '../../screen/output.ts';

/** On a terminal the rows are redrawn in place; otherwise each part is printed once, when it is done. */
export interface StartScreen {
  show(progress: PartProgress): void;
  say(line: string): void;
  settle(): void;
}

export function createStartScreen(output: Output): StartScreen {
  const rows = new Map<string, PartProgress>();
  let drawn = 0;
  let settled = false;
  const draw = () => {
    const lines = watchedParts.flatMap((part) => {
      const row = rows.get(part);
      return row ? [rowText(output, row)] : [];
    });
    output.write(`${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map((line) => `\u001b[2K${line}\n`).join('')}`);
    drawn = lines.length;
  };
  return {
    show(progress) {
      rows.set(progress.part, progress);
      if (output.live && !settled) draw();
      else if (progress.done) output.write(`${rowText(output, progress)}\n`);
    },
    say(line) {
      output.write(`  ${line}\n`);
      drawn = 0;
    },
    settle() {
      settled = true;
    },
  };
}

function rowText(output: Output, { part, done, version, where, detail, ms }: PartProgress): string {
  const name = version ? `${part} ${version}` : part;
  const place = where === undefined ? '' : where.length > 6 ? `${where}  ` : where.padEnd(8);
  const text = `${name.padEnd(15)}${`${place}${detail}`.padEnd(54)}${ms === undefined ? '' : seconds(ms).padStart(7)}`.trimEnd();
  // A row that wraps would break the redrawing.
  return `  ${done ? green(output, 'ok') : faint(output, '..')}  ${text.slice(0, Math.max(0, output.columns - 7))}`;
}
