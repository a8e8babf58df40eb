import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../../options.ts';
import { Failure } from '../../screen/failure.ts';
import { standardOutput } from '../../screen/output.ts';
import { narrateStory } from '../story/narrate-story.ts';
import { prepareStory } from '../story/prepare-story.ts';

export const tryCommand = withDataFolder(new Command('try'))
  .description('Walks one order through a running system, step by step. Exit code 1 when a step fails.')
  .option('--run <file>', 'a file that describes another running system, in the format of .corner/run.json')
  .option('--gateway <address>', 'the gateway, instead of the one in the file')
  .option('--payments <address>', 'the payment simulator, instead of the one in the file')
  .option('--messages <address>', 'the simulated message providers, instead of those in the file')
  .option('--json', 'print the steps as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run try\n  npx corner try --run deployment.json --json\n  npx corner try --data /data --gateway http://gateway:8080 --payments http://payments:8080 --messages http://messages:8080\n',
  )
  .action(async (options: { data: string; run?: string; gateway?: string; payments?: string; messages?: string; json?: true }) => {
    const setting = await prepareStory({ ...options, dataDir: dataFolder(options), env: process.env });
    const output = standardOutput();
    const story = await narrateStory(setting, output, options.json === true);
    if (options.json) {
      output.json({ ok: story.ok, traceId: setting.traceId, steps: story.steps });
      if (!story.ok) process.exitCode = 1;
    } else if (!story.ok) {
      const last = story.steps.at(-1);
      throw new Failure(
        `the story stopped at "${last?.name ?? 'its beginning'}"`,
        last?.result ?? 'no step was taken',
        'npx corner status',
      );
    }
  });
