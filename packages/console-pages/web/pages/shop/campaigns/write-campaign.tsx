import type { FieldErrors } from '@corner/page-kit/logic/editing';
import { useEffect, useState } from 'react';
import { Choice, ConfirmWithReason, Field, InputField } from '../../../components/index.ts';
import { usePage, useStore } from '../../../shell/context.ts';
import { forgetDraft, keepDraft, readDraft } from '../../../shell/drafts.ts';
import { fieldErrorsOf, markedInstead } from '../settings/index.ts';
import { type Campaign, type Counted, makeCampaign } from './campaign-operations.ts';
import { audiences, type CampaignForm, emptyForm, fieldsOf, formOf } from './campaigns.ts';

interface Props {
  /** The campaign whose fields the form shows at first. Null for an empty form. */
  readonly from: Campaign | null;
  onCounted(counted: Counted): void;
  onClose(): void;
}

/** The tab keeps the typed fields until the audience is counted: then the platform has a draft. */
export function WriteCampaign({ from, onCounted, onClose }: Props) {
  const store = useStore();
  const { subject } = usePage().me;
  const draft = `campaign ${store.id} ${from?.id ?? 'new'}`;
  const [form, setForm] = useState(() => readDraft<CampaignForm>(subject, draft) ?? (from ? formOf(from) : emptyForm));
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => keepDraft(subject, draft, form), [subject, draft, form]);
  const set = (fields: Partial<CampaignForm>) => setForm((before) => ({ ...before, ...fields }));

  const act = async (_: string, key: string) => {
    setErrors({});
    const fields = fieldsOf(form);
    try {
      const counted = await makeCampaign(store.id, fields, key);
      forgetDraft(subject, draft);
      onCounted(counted);
    } catch (error) {
      const found = fieldErrorsOf(error, fields);
      setErrors(found);
      throw markedInstead(error, found);
    }
  };
  return (
    <ConfirmWithReason title="Write a campaign" label="Count whom it reaches" reason={false} act={act} onClose={onClose}>
      <Choice label="For" value={form.kind} options={audiences} onChoose={(kind) => set({ kind })} />
      {form.kind === 'not_seen' && (
        <InputField
          label="Days since they were there last"
          {...{ type: 'number', required: true, min: 7, max: 365, value: form.days, error: errors['audience.days'] ?? null }}
          onType={(days) => set({ days })}
        />
      )}
      <InputField
        label="First line"
        {...{ required: true, maxLength: 60, value: form.title, error: errors.title ?? null }}
        onType={(title) => set({ title })}
      />
      <Field label="Text" hint={`${300 - form.body.length} of 300 characters are left.`} error={errors.body ?? null}>
        {(props) => (
          <textarea {...props} required maxLength={300} rows={4} value={form.body} onChange={({ target }) => set({ body: target.value })} />
        )}
      </Field>
      <Preview {...form} />
    </ConfirmWithReason>
  );
}

export function Preview({ title, body }: Pick<CampaignForm, 'title' | 'body'>) {
  const { name } = useStore();
  return (
    <figure className="card">
      <figcaption className="quiet">How it reads</figcaption>
      <p>
        <b>
          {name}: {title}
        </b>
      </p>
      <p className="mail-text">{body}</p>
    </figure>
  );
}
