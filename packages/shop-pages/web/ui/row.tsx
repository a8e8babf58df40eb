import type { ComponentChildren } from 'preact';

interface RowProps {
  readonly title: ComponentChildren;
  readonly detail?: ComponentChildren;
  readonly after?: ComponentChildren;
  readonly before?: ComponentChildren;
  readonly onPress?: (() => void) | undefined;
}

export function Row({ title, detail, after, before, onPress }: RowProps) {
  const content = (
    <>
      {before}
      <span class="row-main">
        <span class="row-title">{title}</span>
        {detail ? <span class="row-detail">{detail}</span> : null}
      </span>
      {after === undefined ? null : <span class="row-after">{after}</span>}
    </>
  );
  return (
    <li class="row">
      {onPress ? (
        <button type="button" class="row-press" onClick={onPress}>
          {content}
        </button>
      ) : (
        <div class="row-rest">{content}</div>
      )}
    </li>
  );
}
