import { runFileIn } from '@corner/operator';
import type { RunningSystem } from '@corner/sandbox/system';
import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';
import { narrateStory } from '../story/narrate-story.ts';
import { prepareStory } from '../story/prepare-story.ts';
import { bringUp } from '../system/bring-up.ts';
import { untilStopRequested } from '../system/until-stop-requested.ts';

export const demoCommand = withDataFolder(new Command('demo'))
  .description('Starts the platform, walks one order through it and stops it again. Exit code 1 when anything fails.')
  .option('--json', 'print the steps as JSON')
  .addHelpText('after', '\nExample:\n  npm run demo\n')
  .action(async (options: { data: string; json?: true }) => {
    const output = standardOutput();
    const quiet = options.json === true;
    const dataDir = dataFolder(options);
    const stopRequest = untilStopRequested();
    await using _system: RunningSystem = await bringUp(dataDir, output, { quiet, hints: false, stop: stopRequest.signal });
    const setting = await prepareStory({ dataDir, run: runFileIn(dataDir), env: process.env });
    const story = await Promise.race([narrateStory(setting, output, quiet), stopRequest.stopped]);
    if (typeof story === 'string') throw new Failure('the demo was not finished', story, 'npm run demo');
    if (options.json) {
      output.json({ ok: story.ok, traceId: setting.traceId, steps: story.steps });
      if (!story.ok) process.exitCode = 1;
      return;
    }
    const last = story.steps.at(-1);
    if (!story.ok)
      throw new Failure(`the story stopped at "${last?.name ?? 'its beginning'}"`, last?.result ?? '', `read the logs in ${dataDir}/log/`);
  });
