import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useTexts } from '../texts/use-texts.tsx';

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly foot?: ComponentChildren;
}

/**
 * A sheet over the page, rendered while it is open: a modal `<dialog>`, so that the browser keeps the focus in it and gives it back. The
 * browser emits `close` only with its next frame, so each way of closing calls `onClose` itself: meanwhile a press that opens the sheet
 * again would be lost.
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
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => dialog.current && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="sheet-body">
        <div class="sheet-head">
          <h2 id={id} tabIndex={-1} autofocus>
            {title}
          </h2>
          <button type="button" class="sheet-close" aria-label={shell.close} onClick={onClose}>
            ×
          </button>
        </div>
        <div class="sheet-content">{children}</div>
        {foot ? <div class="sheet-foot">{foot}</div> : null}
      </div>
    </dialog>
  );
}
