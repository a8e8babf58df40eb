import { type RunFile, readDirectory, readRunFile, runFileIn } from '@corner/operator';
import { stores } from '@corner/sandbox/demo';
import { isAlive, readLedger } from '@corner/sandbox/system';
import { connectToServices, operatorName } from '../../operator/connect-to-services.ts';
import { Failure } from '../../screen/failure.ts';

/** Throws a {@link Failure} with `what` where none runs, also where one was killed. */
export function runningSystem(dataDir: string, what: string): RunFile {
  const run = readRunFile(runFileIn(dataDir));
  const ledger = readLedger(dataDir);
  if (!run || (ledger && !isAlive(ledger.supervisor)))
    throw new Failure(what, `corner is not running: no process uses the data in ${dataDir}`, 'npm start');
  return run;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Codes match in any letter case. Throws a {@link Failure} with `what` for an unknown code. */
export function findStoreId(codeOrId: string, dataDir: string, what: string): string {
  const id = knownStoreId(codeOrId, dataDir);
  if (id !== null) return id;
  const codes = [...new Set(storesKnown(dataDir).map(({ code }) => code))].join(', ');
  throw new Failure(what, `no store has the code ${codeOrId}; known codes are ${codes}`, 'name one of these codes, or a store id');
}

/**
 * Replaces the codes of stores added since the start, which only the running system's directory knows, by ids. Others stay as
 * {@link findStoreId} takes them.
 */
export async function namedInDirectory(named: readonly string[], dataDir: string): Promise<readonly string[]> {
  const run = readRunFile(runFileIn(dataDir));
  if (!run?.services.directory || named.every((store) => knownStoreId(store, dataDir) !== null)) return named;
  await using services = await connectToServices({ data: dataDir, nats: run.nats });
  const found = async (store: string): Promise<string> => {
    if (knownStoreId(store, dataDir) !== null) return store;
    const { stores: some } = await readDirectory(services.call, { by: operatorName(), store_code: store });
    return some[0]?.id ?? store;
  };
  return await Promise.all(named.map(found));
}

const storesKnown = (dataDir: string) => [...(readRunFile(runFileIn(dataDir))?.stores ?? []), ...Object.values(stores)];

const knownStoreId = (codeOrId: string, dataDir: string): string | null =>
  uuid.test(codeOrId)
    ? codeOrId.toLowerCase()
    : (storesKnown(dataDir).find(({ code }) => code.toLowerCase() === codeOrId.toLowerCase())?.id ?? null);
