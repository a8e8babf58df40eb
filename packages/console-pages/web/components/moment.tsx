import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';
import { ActionButton } from './states.tsx';

/** A way to change what holds at the moment: the text of its button, and what it does. */
export interface MomentChoice {
  readonly label: string;
  readonly act: () => Promise<unknown>;
}

interface Props {
  /** Whether the shop takes what the page is about. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
  readonly choices: readonly MomentChoice[];
}

/** What holds at the moment, such as a pause, with the buttons that change it. */
export function Moment({ isOpen, children, choices }: Props) {
  const [busy, setBusy] = useState(false);
  const run = async (act: MomentChoice['act']) => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  return (
    <div className={isOpen ? 'moment' : 'moment off'}>
      <Icon name={isOpen ? 'done' : 'warning'} />
      <p>{children}</p>
      <div className="moment-choices">
        {choices.map(({ label, act }) => (
          <ActionButton key={label} busy={busy} onClick={() => void run(act)}>
            {label}
          </ActionButton>
        ))}
      </div>
    </div>
  );
}
