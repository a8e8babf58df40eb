import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useTexts } from '../texts/use-texts.tsx';

interface SheetProps {
  readonly title: string;
  /** Called when the sheet was closed: by its button, Escape, or a press beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Stays at the bottom while the rest scrolls. */
  readonly foot?: ComponentChildren;
}

/**
 * A sheet over the page: a modal `<dialog>`, so that the browser keeps the focus in it and gives it back. Rendered while it is open.
 *
 * The browser says `close` only with its next frame, so `onClose` is called by what closes: a press in between on what opens the sheet would be lost.
 */
export function Sheet({ title, onClose, children, foot }: SheetProps) {
  const { shell } = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        // The choice of a file that is given up says the same, and passes here.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => dialog.current && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="sheet-body">
        <header class="sheet-head">
          <h2 id={id} tabIndex={-1} autofocus>
            {title}
          </h2>
          <button type="button" class="sheet-close" aria-label={shell.close} onClick={onClose}>
            ×
          </button>
        </header>
        <div class="sheet-content">{children}</div>
        {foot ? <footer class="sheet-foot">{foot}</footer> : null}
      </div>
    </dialog>
  );
}
