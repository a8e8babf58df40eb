import { type RunFile, readRunFile, runFileIn } from '@corner/operator';
import { stores } from '@corner/sandbox/demo';
import { isAlive, readLedger } from '@corner/sandbox/system';
import { Failure } from '../../screen/failure.ts';

/** Returns the description of the running system. Throws a {@link Failure} with `what` where none runs, also where one was killed. */
export function runningSystem(dataDir: string, what: string): RunFile {
  const run = readRunFile(runFileIn(dataDir));
  const ledger = readLedger(dataDir);
  if (!run || (ledger && !isAlive(ledger.supervisor)))
    throw new Failure(what, `corner is not running: no process uses the data in ${dataDir}`, 'npm start');
  return run;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the id of a store of the running system or the demo, from its code (in any letter case) or its id. Throws a {@link Failure} with `what` for an unknown code. */
export function findStoreId(codeOrId: string, dataDir: string, what: string): string {
  if (uuid.test(codeOrId)) return codeOrId.toLowerCase();
  const known = [...(readRunFile(runFileIn(dataDir))?.stores ?? []), ...Object.values(stores)];
  const store = known.find(({ code }) => code.toLowerCase() === codeOrId.toLowerCase());
  if (store) return store.id;
  const codes = [...new Set(known.map(({ code }) => code))].join(', ');
  throw new Failure(what, `no store has the code ${codeOrId}; known codes are ${codes}`, 'name one of these codes, or a store id');
}
