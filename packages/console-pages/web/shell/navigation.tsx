import type { Me } from '@corner/console-api';
import { useContext } from 'react';
import { Link } from 'wouter';
import { Icon } from '../components/icon.tsx';
import { pathOf } from '../logic/match-route.ts';
import { usePage } from './context.ts';
import { mayOpen, type Route, Routes } from './route.ts';

const areas = ['Platform', 'Shop', 'Development'] as const;

export function Navigation({
  store,
  current,
  onFollow,
}: {
  readonly store: Me['stores'][number] | undefined;
  readonly current: Route | undefined;
  readonly onFollow?: () => void;
}) {
  const { me } = usePage();
  const open = useContext(Routes).filter((route) => route.icon && mayOpen(route, me, store));
  const storeId = store?.id ?? me.stores[0]?.id ?? '';
  return (
    <nav aria-label="Pages" className="nav">
      {areas.map((area) => {
        const pages = open.filter((route) => route.area === area);
        if (pages.length === 0) return null;
        return (
          <div key={area}>
            <p className="nav-area" id={`area-${area}`}>
              {area}
            </p>
            <ul aria-labelledby={`area-${area}`}>
              {pages.map((route) => (
                <li key={route.path}>
                  <Link
                    href={pathOf(route.path, { storeId })}
                    aria-current={isCurrent(route, current) ? 'page' : undefined}
                    {...(onFollow ? { onClick: onFollow } : {})}
                  >
                    {route.icon ? <Icon name={route.icon} /> : null}
                    {route.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

const isCurrent = (route: Route, current: Route | undefined): boolean =>
  current !== undefined &&
  (route.path === current.path || (!current.icon && route.path !== '/' && current.path.startsWith(`${route.path}/`)));
