import { type RefObject, useEffect } from 'react';
import { chosenBy } from './tickets.ts';

/**
 * Digits and arrows, of a keyboard or a bump bar, move the focus to the step of a ticket, so that Enter or Space takes it. A field and an
 * open dialog keep their keys.
 */
export function useBoardKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
      if (event.target instanceof Element && event.target.matches('input, textarea, select')) return;
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-step]') ?? [])];
      const chosen = buttons.indexOf(document.activeElement as HTMLElement);
      const next = chosenBy(event.key, chosen, buttons.length);
      if (next === null) return;
      event.preventDefault();
      buttons[next]?.focus();
      buttons[next]?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [list]);
}
