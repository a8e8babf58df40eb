import { type RunningSystem, runFileIn } from '@corner/sandbox';
import { Command } from 'commander';
import { bringUp } from '../bring-up.ts';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { standardOutput } from '../output.ts';
import { narrateStory } from '../story/narrate-story.ts';
import { stageOf } from '../story/stage.ts';
import { untilStopRequested } from '../until-stop-requested.ts';

/** `corner demo`: start, try, stop. */
export const demoCommand = withDataFolder(new Command('demo'))
  .description('Starts the platform, walks one order through it and stops it again. Exit code 1 when anything went wrong.')
  .option('--json', 'print the steps as JSON')
  .addHelpText('after', '\nExample:\n  npm run demo\n')
  .action(async (options: { data: string; json?: true }) => {
    const output = standardOutput();
    const quiet = options.json === true;
    const dataDir = dataFolder(options);
    const told = untilStopRequested();
    await using _system: RunningSystem = await bringUp(dataDir, output, { quiet, hints: false, stop: told.signal });
    const stage = await stageOf({ dataDir, run: runFileIn(dataDir), env: process.env });
    const steps = await Promise.race([narrateStory(stage, output, quiet), told.stopped]);
    if (typeof steps === 'string') throw new Failure('the demo was not finished', steps, 'npm run demo');
    if (options.json) output.json({ ok: steps.ok, traceId: stage.traceId, steps: steps.told });
    const last = steps.told.at(-1);
    if (!steps.ok)
      throw new Failure(`the story stopped at "${last?.deed ?? 'its beginning'}"`, last?.answer ?? '', `read the logs in ${dataDir}/log/`);
  });
