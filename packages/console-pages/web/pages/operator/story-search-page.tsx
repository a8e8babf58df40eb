import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Empty, Icon, Page, Section } from '../../components/index.ts';
import { pathOf } from '../../logic/match-route.ts';
import { useRecent } from '../../shell/recent.ts';

const storyOf = (id: string) => pathOf('/story/:id', { id });

export default function StorySearch() {
  const recent = useRecent();
  return (
    <Page
      title="Story"
      about="Everything on record about one id: an order, a request, an event, a payment, a refund, a place in a queue, a trace."
    >
      <IdSearch />
      <Section title="Opened in this browser">
        {recent.length === 0 ? (
          <Empty title="No story was opened yet.">The ids of stories that you open are kept in this browser only.</Empty>
        ) : (
          <ul className="card recent">
            {recent.map((id) => (
              <li key={id}>
                <Link href={storyOf(id)}>
                  <code>{id}</code>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </Page>
  );
}

export function IdSearch() {
  const [typed, setTyped] = useState('');
  const search = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') navigate(storyOf(typed.trim()));
  };
  return (
    <search>
      <form className="id-search" onSubmit={search}>
        <input
          type="search"
          aria-label="An id"
          placeholder="Paste an id"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="primary">
          <Icon name="search" />
          Look up
        </button>
      </form>
    </search>
  );
}
