import { kept } from '@corner/page-kit/browser/storage';
import type { ComponentChildren } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import { hrefOf } from '../errors/codes.ts';
import { explain } from '../errors/explain.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from './button.tsx';

interface NoticeProps {
  readonly kind?: 'info' | 'good' | 'warning';
  readonly title?: string;
  readonly children?: ComponentChildren;
}

export const lastStoreName = 'corner.store';

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
  readonly again?: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

export function ErrorNotice({ error, again, children }: ErrorNoticeProps) {
  const texts = useTexts();
  const [at] = useLocation();
  const { happened, toDo, requestId, place } = explain(error, texts);
  const href = place && hrefOf(place, at, kept.getItem(lastStoreName));
  return (
    <div class="notice warning" role="alert">
      <p class="notice-title">{happened}</p>
      <p>{toDo}</p>
      {requestId === null ? null : <p class="hint">{texts.shell.quote(requestId)}</p>}
      {children}
      {place && href !== null ? (
        <Link href={href} class="button">
          {texts.shell.to[place]}
        </Link>
      ) : null}
      {again ? <Button onClick={again}>{texts.shell.tryAgain}</Button> : null}
    </div>
  );
}
