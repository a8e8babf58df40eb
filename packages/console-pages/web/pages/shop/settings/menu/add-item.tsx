import { type ComponentProps, type KeyboardEvent, useId, useRef, useState } from 'react';
import { Icon } from '../../../../components/index.ts';
import { parsePrice, typedAmount } from '../../../../logic/amounts.ts';
import { announce } from '../../../../shell/announce.tsx';

interface Props {
  readonly currency: string;
  readonly onAdd: (name: string, price: number) => void;
}

export function AddItem({ currency, onAdd }: Props) {
  const { name, setName, price, setPrice, fault, nameField, priceField, add } = useNewItem(currency, onAdd);
  const faultId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  const props = (of: 'name' | 'price') => ({
    onKeyDown,
    autoComplete: 'off',
    ...(fault === of ? { 'aria-invalid': true as const, 'aria-describedby': faultId } : {}),
  });
  return (
    <div className="add-item">
      <TypedField
        label="New item"
        {...props('name')}
        ref={nameField}
        maxLength={120}
        placeholder="Flat white"
        value={name}
        onType={setName}
      />
      <TypedField
        label={`Price, ${currency}`}
        className="add-item-price"
        {...props('price')}
        ref={priceField}
        inputMode="decimal"
        maxLength={12}
        placeholder={typedAmount(320, currency)}
        value={price}
        onType={setPrice}
      />
      <button type="button" onClick={add}>
        <Icon name="add" />
        Add
      </button>
      {fault && (
        <p id={faultId} className="field-error" role="alert">
          {fault === 'name'
            ? 'The item needs a name.'
            : `The price must be an amount in ${currency}, such as ${typedAmount(320, currency)}.`}
        </p>
      )}
    </div>
  );
}

function useNewItem(currency: string, onAdd: Props['onAdd']) {
  const [name, setName] = useState('');
  const [price, setPrice] = useState('');
  const [fault, setFault] = useState<'name' | 'price' | null>(null);
  const [nameField, priceField] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const add = () => {
    const minor = parsePrice(price, currency);
    const missing = name.trim() === '' ? 'name' : minor === null ? 'price' : null;
    setFault(missing);
    if (missing !== null || minor === null) return (missing === 'name' ? nameField : priceField).current?.focus();
    onAdd(name.trim(), minor);
    announce(`${name.trim()} was added. Save to sell it.`);
    setName('');
    setPrice('');
    nameField.current?.focus();
  };
  return { name, setName, price, setPrice, fault, nameField, priceField, add };
}

interface TypedFieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly onType: (text: string) => void;
}

function TypedField({ label, className = '', onType, ...props }: TypedFieldProps) {
  const id = useId();
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input {...props} id={id} onChange={({ target }) => onType(target.value)} />
    </div>
  );
}
