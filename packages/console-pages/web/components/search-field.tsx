import { useEffect, useId, useRef, useState } from 'react';

interface Props {
  /** Names the field, and says what is searched. */
  readonly label: string;
  readonly value: string;
  /** Called once the person pauses typing, and at once by Enter. The text has no spaces around it. */
  readonly onSearch: (text: string) => void;
  /** With the text of a button, the text is searched by Enter and the button only, and not while it is typed. */
  readonly button?: string;
}

const pauseMs = 250;

/** A field whose text is searched. */
export function SearchField({ label, value, onSearch, button }: Props) {
  const [typed, setTyped] = useState(value);
  const field = useId();
  const [last, setLast] = useState(value);
  const sent = useRef(value);
  // The page has another text, which was not typed here: of the history, or by a button.
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
