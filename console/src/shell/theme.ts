import { useSyncExternalStore } from 'react';

/** `system`: as the browser says. */
export type Theme = 'system' | 'light' | 'dark';

const KEPT_AS = 'headgate.theme';
const listeners = new Set<() => void>();

function chosen(): Theme {
  const kept = localStorage.getItem(KEPT_AS);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Puts what was chosen in force. */
export function applyTheme(): void {
  const theme = chosen();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEPT_AS, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}
