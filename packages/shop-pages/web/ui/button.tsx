import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useTexts } from '../texts/use-texts.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'disabled' | 'children'> {
  readonly children: ComponentChildren;
  /** `main` is the one action of a page; `quiet` is beside others; `danger` ends something. */
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger';
  /** An action runs: presses do nothing, and a screen reader says so. The button keeps the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
}

/** A button that is at least 44 px high. */
export function Button({
  kind = 'plain',
  busy = false,
  disabled = false,
  type = 'button',
  class: more,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const { shell } = useTexts();
  return (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${more ?? ''}`}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {busy ? <span class="spinner" role="status" aria-label={shell.busy} /> : null}
      <span>{children}</span>
    </button>
  );
}
