import type { Me } from '@corner/console-api';
import { createContext } from 'react';

/** The context of every page. */
export interface PageContext {
  readonly me: Me;
  /** The values of the route's `:parameters`. */
  readonly params: Readonly<Record<string, string>>;
}

export const Context = createContext<PageContext | undefined>(undefined);
