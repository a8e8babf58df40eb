import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { RequestFailed, sentence } from '../logic/refusal.ts';
import { Icon } from './icon.tsx';
import { Id } from './id.tsx';
import { Linked } from './linked.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

export const Badge = ({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
);

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children ? <div className="quiet">{children}</div> : null}
  </div>
);

export const Notice = ({ text, children }: { readonly text: string | null; readonly children?: ReactNode }) =>
  text === null ? null : (
    <div className="notice warn" role="alert">
      <Icon name="warning" />
      <p>
        <Linked text={text} />
      </p>
      {children}
    </div>
  );

export const Loading = ({ lines = 4 }: { readonly lines?: number }) => (
  <div className="loading" role="status">
    <span className="unseen">Loading</span>
    {[...'abcdefghij'].slice(0, lines).map((line) => (
      <div key={line} className="loading-line" />
    ))}
  </div>
);

const WayOut = lazy(() => import('./way-out.tsx'));

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { message, code, requestId } =
    error instanceof RequestFailed ? error : { message: String(error), code: 'PAGE_FAILED', requestId: undefined };
  return (
    <div className="failure" role="alert">
      <Icon name="warning" />
      <div>
        <p>{sentence(message)}</p>
        <Suspense>
          <WayOut code={code} />
        </Suspense>
        <p className="failure-code">
          <code>{code}</code>
          {requestId ? (
            <>
              {' '}
              request <Id value={requestId} />
            </>
          ) : null}
        </p>
      </div>
      {retry ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

/** Earlier data stays when a later read fails. */
export function Loaded<T>({
  of: { data, error, isPending, refetch },
  lines,
  children,
}: {
  readonly of: UseQueryResult<T, RequestFailed>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}) {
  return (
    <>
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data === undefined ? isPending ? <Loading {...(lines ? { lines } : {})} /> : null : children(data)}
    </>
  );
}

export const Missing = ({ unreachable }: { readonly unreachable: readonly { readonly service: string; readonly error: string }[] }) =>
  unreachable.length === 0 ? null : (
    <div className="notice warn" role="status">
      <Icon name="warning" />
      <p>
        What is shown is not complete.{' '}
        {unreachable.map(({ service, error }) => (
          <span key={service}>
            {service} did not reply: {sentence(error)}{' '}
          </span>
        ))}
      </p>
    </div>
  );

interface ActionButtonProps extends ComponentProps<'button'> {
  readonly busy: boolean;
}

/** While busy it does nothing but keeps the keyboard's focus, which a disabled button would lose. */
export const ActionButton = ({ busy, onClick, type = 'button', ...rest }: ActionButtonProps) => (
  <button {...rest} type={type} aria-disabled={busy} onClick={busy ? (event) => event.preventDefault() : onClick} />
);
