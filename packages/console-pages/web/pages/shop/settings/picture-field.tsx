import { useState } from 'react';
import { Field } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { uploadPicture } from '../picture-operations.ts';
import { refusalText } from '../refusal-text.ts';
import type { Bound } from './bound.ts';

interface Props {
  readonly of: Bound<string | null>;
  readonly label: string;
  readonly hint?: string;
}

export function PictureField({ of: { value, error, locked, set }, label, hint }: Props) {
  const { id: storeId } = useStore();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const upload = async (file: File | undefined) => {
    if (!file || busy) return;
    setBusy(true);
    setFault(null);
    try {
      set(await uploadPicture(storeId, file));
      announce(`${label}: the picture is uploaded. Save to show it to customers.`);
    } catch (failure) {
      setFault(refusalText(failure, label));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Field label={label} hint={busy ? 'Uploading…' : hint} error={fault ?? error}>
      {(props) => (
        <div className="picture-field">
          {value !== null && <img src={value} alt={`${label} at present`} />}
          <input
            {...props}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/*"
            disabled={locked}
            onChange={({ target }) => void upload(target.files?.[0])}
          />
          {value !== null && !locked && (
            <button type="button" className="small" onClick={() => set(null)}>
              Remove<span className="unseen"> {label}</span>
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
