import { useContext, useState } from 'react';
import { Link } from 'wouter';
import { shortId } from '../logic/format.ts';
import { pathOf } from '../logic/match-route.ts';
import { Icon } from './icon.tsx';
import { Context } from './page-context.ts';

/** Shortened for reading, copied whole, and for an operator a link to its story. `what` names the kind of thing, for screen readers. */
export function Id({ value, what = 'id', whole = false }: { readonly value: string; readonly what?: string; readonly whole?: boolean }) {
  const operator = useContext(Context)?.me.permissions.includes('operator:read') ?? false;
  const text = whole ? value : shortId(value);
  return (
    <span className="id">
      {operator ? (
        <Link href={pathOf('/story/:id', { id: value })} title={`Story of ${value}`}>
          <code>{text}</code>
        </Link>
      ) : (
        <code title={value}>{text}</code>
      )}
      <Copy text={value} what={what} />
    </span>
  );
}

export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" className="copy" onClick={() => void copy()} aria-label={copied ? 'Copied' : `Copy ${what} ${text}`} title="Copy">
      <Icon name={copied ? 'done' : 'copy'} />
    </button>
  );
}
