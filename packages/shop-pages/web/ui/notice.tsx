import type { ComponentChildren } from 'preact';
import { explain } from '../errors/explain.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from './button.tsx';

interface NoticeProps {
  readonly kind?: 'info' | 'good' | 'warning';
  readonly title?: string;
  readonly children?: ComponentChildren;
}

/** A box with something to know. A screen reader says it when it appears. */
export function Notice({ kind = 'info', title, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role="status">
      {title === undefined ? null : <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

interface ErrorNoticeProps {
  readonly error: unknown;
  /** Repeats what failed. */
  readonly again?: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** What went wrong, what to do, and for what the customer cannot solve the number of the request. */
export function ErrorNotice({ error, again, children }: ErrorNoticeProps) {
  const texts = useTexts();
  const { happened, toDo, requestId } = explain(error, texts);
  return (
    <div class="notice warning" role="alert">
      <p class="notice-title">{happened}</p>
      <p>{toDo}</p>
      {requestId === null ? null : <p class="hint">{texts.shell.quote(requestId)}</p>}
      {children}
      {again ? <Button onClick={again}>{texts.shell.tryAgain}</Button> : null}
    </div>
  );
}
