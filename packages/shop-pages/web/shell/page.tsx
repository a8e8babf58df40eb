import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSession } from '../session/use-session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Bar } from './bar.tsx';
import { lazyPart } from './lazy-page.tsx';

// A browser without a customer has ordered nothing, so its first visit loads none of it.
const RunningOrder = lazyPart(() => import('./running-order.tsx'));

interface PageProps {
  readonly title: string;
  readonly code?: string | undefined;
  readonly back?: string | undefined;
  readonly lead?: ComponentChildren;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * The frame of every page. Its heading gets the focus when the page is opened, so that a screen reader begins there. `foot` stays above the
 * bar while the rest scrolls.
 */
export function Page({ title, code, back, lead, foot, children }: PageProps) {
  const { shell } = useTexts();
  const { customerId } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the page is painted: later, it would take the focus from a field in which someone already types.
  useLayoutEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <main class="page">
        {back === undefined ? null : (
          <Link href={back} class="back">
            <span aria-hidden="true">←</span> {shell.back}
          </Link>
        )}
        <header class="page-head">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead}
        </header>
        {children}
      </main>
      <footer class="page-end">
        {foot ? <div class="page-foot">{foot}</div> : null}
        {code === undefined || customerId === null ? null : <RunningOrder />}
        {code === undefined ? null : <Bar code={code} />}
      </footer>
    </>
  );
}
