import { watchLaunchers } from '../development/system/watch-launchers.ts';

const { launchers } = watchLaunchers(() => {
  process.stdout.write('gone\n');
  process.exit(0);
});
process.stdout.write(`watching ${launchers.length}\n`);
setInterval(() => {}, 60_000);
