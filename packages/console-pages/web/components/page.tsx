import { type ReactNode, useEffect, useRef } from 'react';

/**
 * A page: its heading, a sentence about it, its controls, and what it shows. The title of the document is the heading, and the heading is focused
 * when one comes from another page, so that a screen reader says where one is.
 */
export function Page({
  title,
  about,
  controls,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  /** Filters and buttons at the right of the heading. */
  readonly controls?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Corner`;
  }, [title]);
  useEffect(() => {
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

/** The first page leaves the focus at the beginning of the document. */
let shown = false;

/** A part of a page with a heading of its own. */
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
