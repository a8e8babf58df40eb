import type { ReactNode } from 'react';
import { Copy, Dialog } from '../../../components/index.ts';

interface SecretDialogProps {
  readonly title: string;
  readonly values: Readonly<Record<string, string | null>>;
  readonly children: ReactNode;
  readonly done: string;
  readonly onClose: () => void;
}

/**
 * No one can read the secret again later; null was shown before. Unlike an id it is not a link: it must not be in an address. `children`
 * say whom to give it to, and where to store it.
 */
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
