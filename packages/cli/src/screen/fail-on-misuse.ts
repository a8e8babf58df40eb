import type { Command } from 'commander';
import { Failure } from './failure.ts';

/** Makes a command and those below it throw a {@link Failure} for an unknown option, a missing argument and the like. */
export function failOnMisuse(command: Command, path: string = command.name()): void {
  command.configureOutput({ outputError: () => {} });
  command.exitOverride((error) => {
    // Help and the version were asked for, or are the whole answer to a command without a subcommand.
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const why = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    throw new Failure('nothing was done', why, `npx ${path} --help`, { cause: error });
  });
  // The command itself prints its help; a group of commands is a command line that was not finished.
  if (command.parent && command.commands.length > 0)
    command.action((_options: unknown, self: Command) => {
      const names = command.commands.map((below) => below.name()).join(', ');
      const [unknown] = self.args;
      const why = unknown === undefined ? 'no command was named' : `unknown command '${unknown}'`;
      throw new Failure('nothing was done', `${why}: ${path} takes ${names}`, `npx ${path} --help`);
    });
  for (const below of command.commands) failOnMisuse(below, `${path} ${below.name()}`);
}
