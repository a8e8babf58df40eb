import { type KeyboardEvent, useState } from 'react';
import { Badge, Empty, Field, Icon } from '../../../../components/index.ts';
import { announce } from '../../../../shell/announce.tsx';
import { SwitchField } from '../form-fields.tsx';
import { ListField } from '../list-field.tsx';
import type { Programme } from '../offer-objects.ts';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { useAbout } from '../use-store-object.ts';
import { useProgramme } from './card-section.tsx';
import { tagUid } from './card-texts.ts';

type Tag = Programme['tags'][number];

export default function TagsSection() {
  const programme = useProgramme();
  return (
    <SettingsPage title="Tags" about={useAbout('The NFC tags that customers tap at the counter.')}>
      <SettingsForm of={[programme]}>
        {() => {
          const of = programme.bind('tags');
          return (
            <>
              {!of.locked && <AddTag tags={of.value} onAdd={(uid) => of.set([...of.value, { uid, key_version: '1', revoked: false }])} />}
              <ListField<Tag>
                {...{ of }}
                most={100}
                keyOf={({ uid }) => uid}
                nameOf={({ uid }) => `tag ${uid}`}
                empty={<Empty title="No tag yet.">A tag must have been written with a key of the platform.</Empty>}
              >
                {(tag) => (
                  <>
                    <p>
                      <code>{tag.value.uid}</code> {tag.value.revoked && <Badge tone="bad">refused</Badge>}
                    </p>
                    <SwitchField
                      label={
                        <>
                          Its taps are refused<span className="unseen">: {tag.value.uid}</span>
                        </>
                      }
                      of={tag.field('revoked')}
                    />
                  </>
                )}
              </ListField>
            </>
          );
        }}
      </SettingsForm>
    </SettingsPage>
  );
}

function AddTag({ tags, onAdd }: { readonly tags: readonly Tag[]; readonly onAdd: (uid: string) => void }) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const add = () => {
    const uid = tagUid(typed);
    const isThere = tags.some((tag) => tag.uid.toUpperCase() === uid);
    setFault(
      uid === null ? 'Must be 14 digits from 0 to 9 and A to F, such as 04:C0:FF:EE:00:00:01.' : isThere ? 'The tag is in the list.' : null,
    );
    if (uid === null || isThere) return;
    onAdd(uid);
    announce(`Tag ${uid} was added. Save to accept its taps.`);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <div className="add-tag">
      <Field label="New tag" hint="The number that is burnt into it. An app that reads NFC shows it as its serial number." error={fault}>
        {(props) => (
          <span className="with-button">
            <input
              {...props}
              {...{ onKeyDown }}
              maxLength={32}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <button type="button" onClick={add}>
              <Icon name="add" />
              Add
            </button>
          </span>
        )}
      </Field>
    </div>
  );
}
