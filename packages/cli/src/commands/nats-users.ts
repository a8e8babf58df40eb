import { services } from '@corner/contracts';
import { ConsumerPartsList, natsUsers, streamsUser, usersConfiguration } from '@corner/nats';
import { Command } from 'commander';
import { isOperatorName } from '../operator/connect-to-services.ts';
import { Misuse } from '../screen/failure.ts';
import { standardOutput } from '../screen/output.ts';

interface Options {
  readonly operator: readonly string[];
  readonly namespace: string;
  readonly parts: string;
  readonly json?: true;
}

const collect = (name: string, names: readonly string[]): string[] => [...names, name];

export const natsUsersCommand = new Command('nats-users')
  .description(
    'Prints the part of a NATS configuration with a user for each service, for the directory, for the streams and for each operator.',
  )
  .option('--operator <name>', 'an operator who may use the commands that need NATS; may be repeated', collect, [])
  .option('--namespace <prefix>', 'the prefix of subjects', process.env.NATS_NAMESPACE ?? '')
  .option('--parts <list>', 'services that consume in several parts: notifications=4,loyalty=2', process.env.CONSUMER_PARTS ?? '')
  .option('--json', 'print the users and what each may do as JSON')
  .addHelpText(
    'after',
    `
Example:
  npx corner nats-users --operator ada > users.conf     then  include users.conf  in the server's configuration

A password is a variable of the server's environment: NATS_PASSWORD_ORDERS for the user orders. Print it anew after an upgrade.
`,
  )
  .action(({ operator, namespace, parts: list, json }: Options) => {
    for (const name of operator) checkName(name, operator);
    if (!/^[a-z0-9_]*$/.test(namespace))
      throw new Misuse('nothing was printed', `the namespace ${namespace} is not of lower-case letters, digits and underscores`);
    const { data: parts, error } = ConsumerPartsList.safeParse(list);
    if (!parts) throw new Misuse('nothing was printed', `--parts ${error.issues[0]?.message}`);
    const users = natsUsers(operator, namespace, parts);
    if (json) standardOutput().json(users);
    else process.stdout.write(usersConfiguration(users, passwordVariable));
  });

function checkName(name: string, operators: readonly string[]): void {
  const what = 'nothing was printed';
  if (!isOperatorName(name) || /["\\]/.test(name))
    throw new Misuse(
      what,
      `${name} cannot be part of a subject: it has a space, dot, asterisk, angle bracket, quotation mark or backslash`,
    );
  if ([...services, streamsUser].includes(name))
    throw new Misuse(what, `${name} is the user of a process already; an operator has another`);
  const variables = operators.filter((other) => passwordVariable(other) === passwordVariable(name));
  if (variables.length > 1)
    throw new Misuse(what, `${variables.join(' and ')} would have the same password, the variable ${passwordVariable(name).slice(1)}`);
}

const passwordVariable = (name: string): string => `$NATS_PASSWORD_${name.toUpperCase().replace(/\W/g, '_')}`;
