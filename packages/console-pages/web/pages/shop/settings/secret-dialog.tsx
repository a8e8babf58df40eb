import type { ReactNode } from 'react';
import { Copy, Dialog } from '../../../components/index.ts';

interface SecretDialogProps {
  readonly title: string;
  /** The values by their labels. A secret that is null was shown before. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Whom to give it to, and where to store it. */
  readonly children: ReactNode;
  /** The text of the button that closes it. */
  readonly done: string;
  readonly onClose: () => void;
}

/** Shows a secret, which no one can read again later. Unlike an id it leads nowhere: it must not be in an address. */
export function SecretDialog({ title, values, children, done, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <dl className="fields">
        {Object.entries(values).map(([label, value]) => [
          <dt key={label}>{label}</dt>,
          <dd key={`${label} value`}>
            {value === null ? (
              'It was shown before. Make a new one.'
            ) : (
              <span className="id">
                <code>{value}</code>
                <Copy text={value} what={label.toLowerCase()} />
              </span>
            )}
          </dd>,
        ])}
      </dl>
      <div className="dialog-buttons">
        <button type="button" className="primary" onClick={onClose}>
          {done}
        </button>
      </div>
    </Dialog>
  );
}
