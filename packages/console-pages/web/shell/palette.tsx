import type { Me } from '@corner/console-api';
import { type KeyboardEvent, useContext, useEffect, useId, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { type Choice, choicesFor } from '../logic/choices.ts';
import { isOfStore, pathOf } from '../logic/match-route.ts';
import { useMay, usePage } from './context.ts';
import { useFoundInStore } from './find-in-store.ts';
import { goTo } from './leaving.tsx';
import { useRecent } from './recent.ts';
import { mayOpen, type Route, Routes } from './route.ts';

export function Palette({ store }: { readonly store: Me['stores'][number] | undefined }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const operator = useMay('operator:read');
  return (
    <>
      <button type="button" className="search-button" onClick={() => setOpen(true)} aria-haspopup="dialog">
        <Icon name="search" />
        <span className="unseen">Search </span>
        <span className="only-desk">{operator ? 'Page or id' : 'Order, person or page'}</span>
        <kbd className="only-desk">Ctrl K</kbd>
      </button>
      {open ? (
        <Dialog title="Go to" className="palette" onClose={() => setOpen(false)}>
          <Choices store={store} close={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  );
}

function Choices({ store, close }: { readonly store: Me['stores'][number] | undefined; readonly close: () => void }) {
  const operator = useMay('operator:read');
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const choices = useChoices(typed, store);
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    close();
    goTo(choice.href);
  };
  const list = useId();
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter') choose(choices[active]);
    if (step !== 0) setActive((active + step + choices.length) % Math.max(1, choices.length));
    if (step !== 0 || event.key === 'Enter') event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label={operator ? 'A page, or any id: of an order, a request, an event, a payment' : 'An order, a code, a person, or a page'}
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-activedescendant={choices[active] ? `${list}-${active}` : undefined}
        placeholder={operator ? 'A page, or any id' : 'An order, a code, a person, or a page'}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onKeyDown={onKey}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      <Options id={list} choices={choices} active={active} choose={choose} />
      {choices.length === 0 ? (
        <p className="quiet">{operator ? 'No page has this in its title, and it is not an id.' : 'Nothing has this in its name.'}</p>
      ) : null}
    </>
  );
}

const storyOf = (id: string) => pathOf('/story/:id', { id });

const isFound = ({ icon, area, path }: Route): boolean => icon !== undefined || (area === 'Shop' && isOfStore(path));

function useChoices(typed: string, store: Me['stores'][number] | undefined): readonly Choice[] {
  const { me } = usePage();
  const operator = useMay('operator:read');
  const recent = useRecent();
  const pages = useContext(Routes)
    .filter((route) => isFound(route) && mayOpen(route, me, store))
    .map(({ title, path }): Choice => ({ title, href: pathOf(path, { storeId: (store ?? me.stores[0])?.id ?? '' }), kind: 'page' }));
  const found = useFoundInStore(typed, operator ? undefined : (store ?? me.stores[0])?.id);
  return [...choicesFor(typed, pages, operator ? recent : [], storyOf).filter(({ kind }) => operator || kind === 'page'), ...found];
}

interface OptionsProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly choose: (choice: Choice) => void;
}

const Options = ({ id, choices, active, choose }: OptionsProps) => (
  <div role="listbox" id={id} aria-label="Choices">
    {choices.map((choice, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field, which keeps the focus
      <div
        key={`${choice.kind} ${choice.href}`}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        onClick={() => choose(choice)}
      >
        <span>{choice.title}</span>
        <span className="quiet">{kinds[choice.kind]}</span>
      </div>
    ))}
  </div>
);

const kinds: Readonly<Record<Choice['kind'], string>> = {
  page: 'Page',
  recent: 'Recent',
  id: 'Story',
  order: 'Order',
  people: 'Customers',
};
