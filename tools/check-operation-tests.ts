import { operations } from '@corner/contracts';
import { readFiles } from './walls/read-files.ts';

/**
 * An operation's tests are the files of its own name (`create-order*.test.ts`) or with a comment such as `// covers: reviewStamp`; each
 * problem must occur there as text.
 */
export function missingTests(files = readFiles()): string[] {
  const tests = [...files].filter(([path]) => /^services\/.*\.test\.ts$/.test(path));
  return operations.flatMap(({ name, service, problems }) => {
    const file = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const own = tests.filter(
      ([path, text]) => path.startsWith(`services/${service}/`) && (fileNameOf(path).startsWith(file) || covered(text).includes(name)),
    );
    if (own.length === 0) return [`${service}.${name} has no test: write ${file}.test.ts in services/${service}/src, beside the operation`];
    const text = own.map(([, content]) => content).join('\n');
    const missing = problems.filter((code) => !new RegExp(`\\b${code}\\b`).test(text));
    return missing.length === 0
      ? []
      : [`${service}.${name}: no test of ${missing.join(', ')} (looked in ${own.map(([path]) => path).join(', ')})`];
  });
}

const fileNameOf = (path: string): string => path.split('/').at(-1) ?? path;

const covered = (text: string): string[] => [...text.matchAll(/^\/\/ covers: (.+)$/gm)].flatMap(([, names = '']) => names.split(/,\s*/));

if (process.argv[1] === import.meta.filename) {
  const missing = missingTests();
  for (const line of missing) process.stderr.write(`${line}\n`);
  if (missing.length > 0) {
    process.stderr.write(
      'Tests of an operation stand in <its-name>*.test.ts; another test file says `// covers: <operation>` in a line of its own.\n',
    );
    process.exitCode = 1;
  }
}
