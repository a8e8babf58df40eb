import type { FieldErrors } from '@corner/page-kit/logic/editing';
import { useState } from 'react';
import { ConfirmWithReason, InputField } from '../../../../components/index.ts';
import { RequestFailed } from '../../../../logic/refusal.ts';
import { announce } from '../../../../shell/announce.tsx';
import { fieldErrorsOf, markedInstead } from '../field-errors.ts';
import { createWebhook, type SecretReply, updateWebhook } from './webhook-operations.ts';
import { changesOf, nameOf, typesBySubject, type Webhook, type WebhookFields } from './webhooks.ts';

interface Props {
  readonly storeId: string;
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  readonly onSecret?: (reply: SecretReply) => void;
}

export function WebhookForm(props: Props) {
  const { webhook, onClose } = props;
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [address, setAddress] = useState(webhook?.url ?? '');
  const [isForAll, setForAll] = useState((webhook?.types ?? []).length === 0);
  const [types, setTypes] = useState<readonly string[]>(webhook?.types ?? []);
  const [errors, setErrors] = useState<FieldErrors>({});

  const act = async (_: string, key: string) => {
    setErrors({});
    const fields = {
      url: address.trim() || null,
      types: (isForAll ? [] : types) as WebhookFields['types'],
      description: description.trim(),
    };
    try {
      if (!isForAll && types.length === 0) throw new RequestFailed(400, 'VALIDATION_FAILED', 'types: Choose one at least, or all events');
      await save(props, fields, key);
    } catch (error) {
      const found = fieldErrorsOf(error, fields);
      setErrors(found);
      throw markedInstead(error, found);
    }
  };
  const title = webhook ? `Change ${nameOf(webhook)}` : 'Create a webhook';
  return (
    <ConfirmWithReason title={title} label={webhook ? 'Save' : 'Create'} reason={false} act={act} onClose={onClose}>
      {webhook?.state === 'ended' && <p>It has ended. Saving makes it active again; it gets no number for what happened meanwhile.</p>}
      <InputField
        label="Description"
        hint="What people call it, for example Bookkeeping."
        error={errors.description ?? null}
        maxLength={128}
        value={description}
        onType={setDescription}
      />
      <InputField
        label="Address"
        hint="Begins with https://. Empty: nothing is sent, and your system reads the events itself."
        error={errors.url ?? null}
        inputMode="url"
        maxLength={1024}
        spellCheck={false}
        value={address}
        onType={setAddress}
      />
      <div className="field">
        <label className="check">
          <input type="checkbox" checked={isForAll} onChange={({ target }) => setForAll(target.checked)} />
          All events, also types that are added later
        </label>
        {errors.types && <p className="field-error">{errors.types}</p>}
      </div>
      {!isForAll && Object.entries(typesBySubject).map(([subject, of]) => <Types key={subject} {...{ subject, of, types, setTypes }} />)}
    </ConfirmWithReason>
  );
}

async function save({ storeId, webhook, onSecret }: Props, fields: WebhookFields, key: string) {
  if (webhook === undefined) return onSecret?.(await createWebhook(storeId, fields, key));
  const changes = changesOf(webhook, fields);
  if (changes) await updateWebhook(storeId, webhook.id, changes, key);
  announce(`${nameOf(fields)} is saved.`);
}

interface TypesProps {
  readonly subject: string;
  readonly of: readonly string[];
  readonly types: readonly string[];
  readonly setTypes: (types: readonly string[]) => void;
}

const Types = ({ subject, of, types, setTypes }: TypesProps) => (
  <fieldset className="field checks">
    <legend>{subject}</legend>
    {of.map((type) => (
      <label key={type} className="check">
        <input
          type="checkbox"
          checked={types.includes(type)}
          onChange={({ target }) => setTypes(target.checked ? [...types, type] : types.filter((other) => other !== type))}
        />
        {type}
      </label>
    ))}
  </fieldset>
);
