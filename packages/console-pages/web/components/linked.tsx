import { useContext } from 'react';
import { Link } from 'wouter';
import { partsOf } from '../logic/places.ts';
import { Context } from './page-context.ts';

/** A sentence with links to the pages that it names and that the person may open. */
export function Linked({ text }: { readonly text: string }) {
  const places = useContext(Context)?.places;
  if (places === undefined) return text;
  return partsOf(text, places).map(({ text: part, href }) =>
    href === null ? (
      part
    ) : (
      <Link key={href} href={href}>
        {part}
      </Link>
    ),
  );
}
