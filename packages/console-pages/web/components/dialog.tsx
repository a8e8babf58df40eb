import { type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * A modal `<dialog>`: the browser keeps the focus inside and gives it back. It stays open while `busy`. The browser emits `close` only with
 * its next frame, so Escape calls `onClose` itself: meanwhile a press that opens the dialog again would be lost.
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
  const closed = () => (busy ? dialog.current?.showModal() : onClose());
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={heading}
      onCancel={(event) => {
        // A file dialog that is cancelled inside the dialog emits `cancel` too.
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
