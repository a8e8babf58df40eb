import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useTexts } from '../texts/use-texts.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'disabled' | 'children'> {
  readonly children: ComponentChildren;
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly busy?: boolean;
  readonly disabled?: boolean;
}

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
