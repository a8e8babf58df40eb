import type { Command } from 'commander';
import { Failure } from './failure.ts';

/** Makes a command and its subcommands throw a {@link Failure} for an unknown option, a missing or an empty argument and the like. */
export function failOnMisuse(command: Command, path: string = command.name()): void {
  command.configureOutput({ outputError: () => {} });
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const why = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    throw new Failure('nothing was done', why, `npx ${path} --help`, { cause: error });
  });
  if (command.parent && command.commands.length > 0 && command.registeredArguments.length === 0)
    command.action((_options: unknown, self: Command) => {
      const names = command.commands.map((below) => below.name()).join(', ');
      const [unknown] = self.args;
      const why = unknown === undefined ? 'no command was named' : `unknown command '${unknown}'`;
      throw new Failure('nothing was done', `${why}: ${path} takes ${names}`, `npx ${path} --help`);
    });
  else if (command.parent) command.hook('preAction', (self) => refuseEmpty(self, path));
  for (const below of command.commands) failOnMisuse(below, `${path} ${below.name()}`);
}

/** An empty value has a meaning here: no prefix, no scopes. */
const mayBeEmpty = new Set(['namespace', 'scope']);

/** An empty argument is usually an unset variable of a shell: `--data ""` would be the current folder. */
function refuseEmpty(command: Command, path: string): void {
  const given = [
    ...command.registeredArguments.map((argument, index) => [argument.name(), command.args[index]] as const),
    ...command.options
      .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli' && !mayBeEmpty.has(option.name()))
      .map((option) => [`--${option.name()}`, command.opts()[option.attributeName()]] as const),
  ];
  const empty = given.find(([, value]) => [value].flat().some((text) => typeof text === 'string' && text.trim() === ''));
  if (empty) throw new Failure('nothing was done', `${empty[0]} is empty`, `npx ${path} --help`);
}

export function namedCommand(command: Command, [word, ...words]: readonly string[]): string {
  const below = command.commands.find((one) => one.name() === word);
  return below ? `${command.name()} ${namedCommand(below, words)}` : command.name();
}
