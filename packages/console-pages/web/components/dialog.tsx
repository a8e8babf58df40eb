import { type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * A dialog of the browser: it keeps the focus inside, Escape closes it unless it is busy, and the focus returns to where it was.
 *
 * The browser says `close` only with its next frame, so Escape closes by `onClose` itself: a press in between on what opens the dialog would be lost.
 */
export function Dialog({
  title,
  onClose,
  busy = false,
  className = '',
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  /** It stays open: what is done in it has not ended. */
  readonly busy?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  // A browser may close it at a second Escape even when the first was prevented.
  const closed = () => (busy ? dialog.current?.showModal() : onClose());
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={heading}
      onCancel={(event) => {
        // The choice of a file that is given up says the same, and passes here.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!busy) onClose();
      }}
      onClose={closed}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
