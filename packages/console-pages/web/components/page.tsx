import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * The title of the document is the heading, with the count `news` for a tab that is not in view. The heading is focused after a navigation,
 * so that a screen reader announces the page; the first page leaves the focus at the beginning of the document.
 */
export function Page({
  title,
  about,
  news = 0,
  controls,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly news?: number;
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${news > 0 ? `(${news}) ` : ''}${title} · Corner`;
  }, [title, news]);
  // Before the page is painted: later, it would take the focus from a field in which someone already types.
  useLayoutEffect(() => {
    if (shown) heading.current?.focus();
    shown = true;
  }, []);
  return (
    <>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about ? <p className="quiet">{about}</p> : null}
        </div>
        {controls ? <div className="controls">{controls}</div> : null}
      </header>
      {children}
    </>
  );
}

let shown = false;

export const Section = ({
  title,
  controls,
  children,
}: {
  readonly title: string;
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className="section">
    <div className="section-head">
      <h2>{title}</h2>
      {controls}
    </div>
    {children}
  </section>
);
