import { connectNats, loginIn, withoutPasswords } from '@corner/nats';
import { readRunFile, runFileIn } from '@corner/sandbox/system';
import { dataFolder } from '../arguments/data-folder.ts';
import { Failure } from '../screen/failure.ts';

/** The options that name a NATS server: its address, or the data folder of a running system. */
export interface NatsOptions {
  readonly data: string;
  readonly nats?: string;
}

interface Connecting {
  readonly name: string;
  /** What did not happen when it fails. */
  readonly what: string;
  /** Whether the connection comes back whenever the server does. */
  readonly lasting?: boolean;
}

/**
 * Connects to the NATS server of the options, of NATS_URL, or of the running system, in this order, with the login in the environment:
 * NATS_USER, NATS_CREDENTIALS_FILE and the others of a service. Throws a {@link Failure} with `what` when none is known or it cannot be reached.
 */
export async function connectToNats(options: NatsOptions, { name, what, lasting }: Connecting) {
  const given = options.nats ?? (process.env.NATS_URL || undefined);
  const address = given ?? readRunFile(runFileIn(dataFolder(options)))?.nats;
  if (!address) throw new Failure(what, 'no running system was found', 'npm start, or name the NATS server: --nats nats://host:4222');
  try {
    return await connectNats(address, name, loginIn(process.env), lasting);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    // Without an address of its own, the doctor looks at the program that a start would use.
    // The doctor looks at the address of NATS_URL; without one, at the program that a start would use.
    const doctor = options.nats === undefined ? 'npx corner doctor' : `NATS_URL=${withoutPasswords(options.nats)} npx corner doctor`;
    const fix = given === undefined ? 'npx corner status' : doctor;
    throw new Failure(what, why, `${fix}, or name another NATS server: --nats nats://host:4222`, { cause });
  }
}
