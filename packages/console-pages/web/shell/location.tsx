import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', changed);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('popstate', changed);
  };
}

/** Goes to another page, or to another state of this one. `replace` leaves no entry in the history: for a filter that changes as one types. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  changed();
}

/** The path of the address. */
export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname);

/** The query of the address, and a function that changes some of its fields: an empty value removes the field. */
export function useSearch(): readonly [URLSearchParams, (fields: Readonly<Record<string, string | undefined>>) => void] {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const change = (fields: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(fields)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    navigate(`${location.pathname}${next.size > 0 ? `?${next}` : ''}`, { replace: true });
  };
  return [new URLSearchParams(search), change];
}

/** A link to another page of the console, without loading the document again. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
