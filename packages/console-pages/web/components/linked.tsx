import { useContext } from 'react';
import { Link } from 'wouter';
import { partsOf } from '../logic/places.ts';
import { Context } from './page-context.ts';

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
