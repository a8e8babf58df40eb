import { useState, useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const read = (): Theme => {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
};

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(read);
  const choose = (next: Theme) => {
    if (next === 'system') {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem('theme');
    } else {
      document.documentElement.dataset.theme = next;
      localStorage.setItem('theme', next);
    }
    setTheme(next);
    dispatchEvent(new Event('theme'));
  };
  return [theme, choose];
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const subscribe = (listener: () => void) => {
  dark.addEventListener('change', listener);
  addEventListener('theme', listener);
  return () => {
    dark.removeEventListener('change', listener);
    removeEventListener('theme', listener);
  };
};

export const useDark = (): boolean => useSyncExternalStore(subscribe, () => (read() === 'system' ? dark.matches : read() === 'dark'));
