import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNotice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

type Loaded<P> = { readonly default: ComponentType<P> };

export const lazyPage = <P extends object>(load: () => Promise<Loaded<P>>): ComponentType<P> => lazy(load, false);

export const lazyPart = <P extends object>(load: () => Promise<Loaded<P>>): ComponentType<P> => lazy(load, true);

function lazy<P extends object>(load: () => Promise<Loaded<P>>, spared: boolean): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function LazyPage(props: P) {
    const [page, setPage] = useState(() => known);
    const [error, setError] = useState<unknown>();
    const start = () => {
      setError(undefined);
      load().then(({ default: component }) => {
        known = component;
        setPage(() => component);
      }, setError);
    };
    useEffect(() => {
      if (!known) start();
    }, []);
    if (spared && !page) return null;
    if (error !== undefined) return <ErrorNotice error={error} again={() => location.reload()} />;
    const Page = page;
    return Page ? <Page {...props} /> : <Skeleton lines={6} />;
  };
}
