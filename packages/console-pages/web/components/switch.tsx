interface Props {
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (on: boolean) => void;
}

export const Switch = ({ label, isOn, onTurn }: Props) => (
  <label className="check">
    <input type="checkbox" role="switch" checked={isOn} aria-checked={isOn} onChange={({ target }) => onTurn(target.checked)} />
    {label}
  </label>
);

export const isKeptOn = (name: string): boolean => localStorage.getItem(name) === 'on';

export const keepOn = (name: string, on: boolean): void => localStorage.setItem(name, on ? 'on' : 'off');
