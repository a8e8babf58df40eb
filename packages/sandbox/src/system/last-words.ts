import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes looked at, and lines told. */
const bytes = 8_192;
const most = 8;

/** What Node prints around an error's message: frames, the offending source, its own version. */
const aroundAnError = /^\s*(at |\^|throw |node:|file:\/\/|\/.*:\d+$|Node\.js v|\}|code: |url: )|^$/;

/** The end of a log in a few lines that say why its process ended; empty when it says nothing. */
export function lastWords(logFile: string): string {
  const lines = endOf(logFile)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !aroundAnError.test(line));
  return lines.slice(-most).join('\n');
}

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
