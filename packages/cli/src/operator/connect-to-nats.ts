import { connectNats, loginIn, withoutPasswords } from '@corner/nats';
import { readRunFile, runFileIn } from '@corner/operator';
import { dataFolder } from '../options.ts';
import { Failure } from '../screen/failure.ts';

export interface NatsOptions {
  readonly data: string;
  readonly nats?: string;
}

interface Connecting {
  readonly name: string;
  readonly what: string;
  readonly lasting?: boolean;
}

/**
 * Connects to the NATS of the options, of NATS_URL or of the running system, with the environment's login. Throws a {@link Failure} with
 * `what`.
 */
export async function connectToNats(options: NatsOptions, { name, what, lasting }: Connecting) {
  const given = options.nats ?? (process.env.NATS_URL || undefined);
  const address = given ?? readRunFile(runFileIn(dataFolder(options)))?.nats;
  if (!address) throw new Failure(what, 'no running system was found', 'npm start, or name the NATS server: --nats nats://host:4222');
  try {
    return await connectNats(address, name, loginIn(process.env), lasting);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const doctor = options.nats === undefined ? 'npx corner doctor' : `NATS_URL=${withoutPasswords(options.nats)} npx corner doctor`;
    const fix = given === undefined ? 'npx corner status' : doctor;
    throw new Failure(what, why, `${fix}, or name another NATS server: --nats nats://host:4222`, { cause });
  }
}
