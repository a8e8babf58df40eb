import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';
import { ActionButton } from './states.tsx';

export interface MomentChoice {
  readonly label: string;
  readonly act: () => Promise<unknown>;
}

interface Props {
  readonly isOpen: boolean;
  readonly children: ReactNode;
  readonly choices: readonly MomentChoice[];
}

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
