import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const bytes = 8_192;
const most = 8;

const aroundAnError = /^\s*(at |\^|throw |node:|file:\/\/|\/.*:\d+$|Node\.js v|\}|code: |url: )|^$/;

export function errorLines(logFile: string): string {
  const lines = endOf(logFile)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !aroundAnError.test(line))
    .filter((line, at, all) => !repeats(line, all[at - 1] ?? ''));
  return lines.slice(-most).join('\n');
}

const cause = /^\s*\[cause\]: (?:\w+: )?/;
const repeats = (line: string, before: string): boolean => cause.test(line) && before.endsWith(line.replace(cause, ''));

function endOf(logFile: string): string {
  try {
    const file = openSync(logFile, 'r');
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, bytes));
      readSync(file, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
