import { useState } from 'react';
import { ConfirmWithReason, Field, LogList, Notice } from '../../components/index.ts';
import { announce } from '../../shell/announce.tsx';
import { usePage, useStore } from '../../shell/context.ts';
import { forgetDraft, keepDraft, readDraft } from '../../shell/drafts.ts';
import { useRead } from '../../shell/queries.ts';
import { type Written, type WrittenMessage, writeTo, writtenPath } from './message-operations.ts';
import { useZone } from './operations.ts';

interface Props {
  readonly customerId: string;
  readonly name: string;
}

/** Nothing for a guest: `customerId` is null. */
export function WriteMessage({ customerId, name }: { readonly customerId: string | null; readonly name: string }) {
  const [isOpen, open] = useState(false);
  if (customerId === null) return null;
  return (
    <>
      <button type="button" className="small" aria-haspopup="dialog" onClick={() => open(true)}>
        Write<span className="unseen"> to {name}</span>
      </button>
      {isOpen && <MessageDialog {...{ customerId, name }} onClose={() => open(false)} />}
    </>
  );
}

const most = 160;

export function MessageDialog({ customerId, name, onClose }: Props & { onClose(): void }) {
  const { id: storeId } = useStore();
  const { subject } = usePage().me;
  const draft = `message ${storeId} ${customerId}`;
  const [text, setText] = useState(() => readDraft<{ readonly text: string }>(subject, draft)?.text ?? '');
  const { messages, answers } = useWritten(customerId);
  const last = messages[0];
  const type = (typed: string) => {
    setText(typed);
    keepDraft(subject, draft, { text: typed });
  };
  const act = async (_: string, key: string) => {
    await writeTo(storeId, customerId, text.trim(), key);
    forgetDraft(subject, draft);
    announce(`Written to ${name}.`);
  };
  return (
    <ConfirmWithReason title={`Write to ${name}`} label="Send" reason={false} act={act} onClose={onClose}>
      <Notice text={last?.state === 'muted' ? 'The last one was not sent: the customer has muted the store, or is out of reach.' : null} />
      <Field
        label="Message"
        hint={`${most - text.length} of ${most} characters are left. Your name is kept with it. It is not sent to a customer who has muted the store.`}
      >
        {(props) => <textarea {...props} required maxLength={most} rows={3} value={text} onChange={({ target }) => type(target.value)} />}
      </Field>
      {messages.length + answers.length > 0 && <WrittenMessages customerId={customerId} />}
    </ConfirmWithReason>
  );
}

const stateTexts: Readonly<Record<WrittenMessage['state'], string>> = {
  pending: 'on its way',
  sent: 'sent',
  muted: 'not sent: muted, or out of reach',
  failed: 'not sent: it failed',
  unknown: 'over a month ago',
};

/** Lists the messages that staff wrote and the texts that the customer sent back, the newest first. */
export function WrittenMessages({ customerId }: Pick<Props, 'customerId'>) {
  const zone = useZone();
  const { messages, answers } = useWritten(customerId);
  const rows = [
    ...messages.map(({ id, at, text, by, state }) => ({ key: id, at, title: text, detail: stateTexts[state], by: by.name })),
    ...answers.map(({ id, at, text }) => ({ key: id, at, title: text, detail: 'answered by text' })),
  ];
  const newestFirst = rows.sort((one, other) => other.at.localeCompare(one.at));
  return <LogList rows={newestFirst} zone={zone} empty="No one has written to them yet." />;
}

/** A message is sent seconds after it was written, which no event announces. */
const readEveryMs = 5_000;

function useWritten(customerId: string): Written {
  const { data } = useRead(writtenPath(useStore().id, customerId), { every: readEveryMs });
  return { messages: data?.messages ?? [], answers: data?.answers ?? [] };
}
