import { watchLaunchers } from '../watch-launchers.ts';

// A process that says how many launchers it has, and when one of them is gone.
const { launchers } = watchLaunchers(() => {
  process.stdout.write('gone\n');
  process.exit(0);
});
process.stdout.write(`watching ${launchers.length}\n`);
setInterval(() => {}, 60_000);
