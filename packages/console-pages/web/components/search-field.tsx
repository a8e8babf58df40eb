import { useEffect, useId, useRef, useState } from 'react';

interface Props {
  readonly label: string;
  readonly value: string;
  /**
   * Called once the person pauses typing, and at once by Enter, with trimmed text. With the text of a `button`, only Enter and the button
   * search.
   */
  readonly onSearch: (text: string) => void;
  readonly button?: string;
}

const pauseMs = 250;

export function SearchField({ label, value, onSearch, button }: Props) {
  const [typed, setTyped] = useState(value);
  const field = useId();
  const [last, setLast] = useState(value);
  const sent = useRef(value);
  if (value !== last) {
    setLast(value);
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }
  const send = (text: string) => {
    if (text === sent.current) return;
    sent.current = text;
    onSearch(text);
  };
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    if (button !== undefined) return;
    const timer = setTimeout(() => latest.current(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, button]);
  return (
    <search className="search-field">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(typed.trim());
        }}
      >
        <label htmlFor={field}>{label}</label>
        <input
          id={field}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {button && (
          <button type="submit" className="primary">
            {button}
          </button>
        )}
      </form>
    </search>
  );
}
