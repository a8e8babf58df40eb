import type { Conflict } from '@corner/page-kit/logic/merge';
import { Icon } from '../../../components/index.ts';
import { usePage, useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { timeText } from '../timing.ts';
import { changesSince, type LoggedChange, pathLabel, valueText } from './change-texts.ts';
import { directoryPath } from './directory-objects.ts';
import type { Edited } from './use-object.ts';

// biome-ignore lint/suspicious/noExplicitAny: each object has fields of its own
type AnyEdited = Edited<any>;

export function ChangeNotice({ edited }: { readonly edited: AnyEdited }) {
  const { state } = edited;
  if (!state || (state.changedSince === null && state.conflicts.length === 0)) return null;
  return <Changed edited={edited} since={state.changedSince ?? state.version} conflicts={state.conflicts} />;
}

interface Props {
  readonly edited: AnyEdited;
  readonly since: number;
  readonly conflicts: readonly Conflict[];
}

function Changed({ edited, since, conflicts }: Props) {
  const { id: storeId } = useStore();
  const me = usePage().me.subject;
  const zone = useZone();
  const read = useRead<{ readonly entries: readonly LoggedChange[] }>(directoryPath(storeId, '/log?limit=20'), {
    readAgainFor: { types: [edited.of.kind], subjects: [storeId] },
  });
  const changes = changesSince(edited.of as never, read.data?.entries ?? [], since, me);
  if (conflicts.length === 0 && (read.isPending || (read.data && changes.length === 0))) return null;
  return (
    <section className={conflicts.length > 0 ? 'notice warn changed' : 'notice info changed'} role="alert">
      <Icon name="warning" />
      <div>
        {read.error && <p>This was changed by another person meanwhile.</p>}
        {changes.map(({ name, at, fields }) => (
          <p key={name}>
            <b>{name}</b> changed {new Intl.ListFormat('en').format(fields.map((field) => `“${field}”`))} at {timeText(at, zone)}.
          </p>
        ))}
        {conflicts.length === 0 ? (
          <p>
            {edited.dirty ? 'It is on this page now. Your own changes are kept, and not saved yet.' : 'The page shows it as it is now.'}
          </p>
        ) : (
          <Conflicts edited={edited} conflicts={conflicts} />
        )}
      </div>
      {conflicts.length === 0 && (
        <button type="button" onClick={edited.acknowledge}>
          OK
        </button>
      )}
    </section>
  );
}

function Conflicts({ edited: { of, state, decide }, conflicts }: Pick<Props, 'edited' | 'conflicts'>) {
  return (
    <>
      <p>Both changed the same. Which shall be saved?</p>
      <ul className="conflicts">
        {conflicts.map((conflict) => {
          const { path, mine, theirs } = conflict;
          const label = pathLabel(of, path, state?.draft);
          return (
            <li key={path.join('.')}>
              <b>{label}</b>
              <button type="button" onClick={() => decide([conflict], 'mine')}>
                <span>
                  Keep mine<span className="unseen"> for {label}</span>: {valueText(of, path, mine)}
                </span>
              </button>
              <button type="button" onClick={() => decide([conflict], 'theirs')}>
                <span>
                  Take theirs<span className="unseen"> for {label}</span>: {valueText(of, path, theirs)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {conflicts.length > 1 && (
        <p className="conflicts-all">
          <button type="button" onClick={() => decide(conflicts, 'mine')}>
            Keep all of mine
          </button>
          <button type="button" onClick={() => decide(conflicts, 'theirs')}>
            Take all of theirs
          </button>
        </p>
      )}
    </>
  );
}
