import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'button'> {
  /** Whether what it does is still being done. */
  readonly busy: boolean;
}

/** A button of an action that takes time. While it is busy it does nothing, and it keeps the focus of the keyboard, which a disabled one loses. */
export const ActionButton = ({ busy, onClick, type = 'button', ...rest }: Props) => (
  <button {...rest} type={type} aria-disabled={busy} onClick={busy ? (event) => event.preventDefault() : onClick} />
);
