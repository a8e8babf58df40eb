import { Command } from 'commander';
import { dataFolder, withDataFolder } from '../data-folder.ts';
import { Failure } from '../failure.ts';
import { standardOutput } from '../output.ts';
import { narrateStory } from '../story/narrate-story.ts';
import { stageOf } from '../story/stage.ts';

/** `corner try`: one order from its placing to the stamps taken back and the messages about it, told step by step. */
export const tryCommand = withDataFolder(new Command('try'))
  .description('Walks one order to its end beside a running system. Exit code 1 when a step is not what it should be.')
  .option('--run <file>', 'the description of another running system, in the shape of .corner/run.json')
  .option('--gateway <address>', 'another gateway than the description names')
  .option('--payments <address>', 'another payment simulator than the description names')
  .option('--messages <address>', 'other far sides of messages than the description names')
  .option('--json', 'print the steps as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run try\n  npx corner try --run deployment.json --json\n  npx corner try --data /data --gateway http://gateway:8080 --payments http://payments:8080 --messages http://messages:8080\n',
  )
  .action(async (options: { data: string; run?: string; gateway?: string; payments?: string; messages?: string; json?: true }) => {
    const stage = await stageOf({ ...options, dataDir: dataFolder(options), env: process.env });
    const output = standardOutput();
    const steps = await narrateStory(stage, output, options.json === true);
    if (options.json) output.json({ ok: steps.ok, traceId: stage.traceId, steps: steps.told });
    if (!steps.ok) {
      const last = steps.told.at(-1);
      throw new Failure(`the story stopped at "${last?.deed ?? 'its beginning'}"`, last?.answer ?? 'nothing was told', 'npx corner status');
    }
  });
