import { natsUsers, usersConfiguration } from '@corner/nats';
import { Command } from 'commander';
import { Failure } from '../screen/failure.ts';
import { standardOutput } from '../screen/output.ts';

interface Options {
  readonly operator: readonly string[];
  readonly namespace: string;
  readonly json?: true;
}

const collect = (name: string, names: readonly string[]): string[] => [...names, name];

/** `corner nats-users`: prints the users of NATS, with what the contracts allow each. */
export const natsUsersCommand = new Command('nats-users')
  .description('Prints the part of a NATS configuration with a user for each service, for the directory and for each operator.')
  .option('--operator <name>', 'an operator who may use the commands that need NATS; may be repeated', collect, [])
  .option('--namespace <prefix>', 'the prefix of subjects', process.env.NATS_NAMESPACE ?? '')
  .option('--json', 'print the users and what each may do as JSON')
  .addHelpText(
    'after',
    `
Example:
  npx corner nats-users --operator ada > users.conf     then  include users.conf  in the server's configuration

A password is a variable of the server's environment: NATS_PASSWORD_ORDERS for the user orders. Print it anew after an upgrade.
`,
  )
  .action(({ operator, namespace, json }: Options) => {
    const wrong = operator.find((name) => !/^[^\s.*>"]+$/.test(name));
    if (wrong !== undefined)
      throw new Failure(
        'nothing was printed',
        `${wrong} cannot be part of a subject`,
        'a name without spaces, dots, asterisks and angle brackets',
      );
    const users = natsUsers(operator, namespace);
    if (json) standardOutput().json(users);
    else process.stdout.write(usersConfiguration(users, passwordVariable));
  });

/** NATS_PASSWORD_ORDERS for `orders`. */
const passwordVariable = (name: string): string => `$NATS_PASSWORD_${name.toUpperCase().replace(/\W/g, '_')}`;
