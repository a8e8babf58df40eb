import type { ComponentChildren } from 'preact';

interface EitherProps {
  readonly first: ComponentChildren;
  readonly second: ComponentChildren;
  readonly shows: 'first' | 'second';
}

export function Either({ first, second, shows }: EitherProps) {
  return (
    <span class="either">
      <span class={shows === 'first' ? undefined : 'kept-room'}>{first}</span>
      <span class={shows === 'second' ? undefined : 'kept-room'}>{second}</span>
    </span>
  );
}
