import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PAGES } from './page.ts';

const WRITTEN_IN = 'input, textarea, select, [contenteditable], dialog';
/** How long after `g` the page's key may come, in ms. */
const PATIENCE_MS = 1_200;

/** Keys that work everywhere: Ctrl-K finds, `/` goes to the page's search, `g u` to usage, `?` lists them all. */
export function useKeys(show: (what: 'find' | 'keys') => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goesAt = 0;
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return show('find');
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(WRITTEN_IN)) return;
      if (event.key === '?') return show('keys');
      if (event.key === '/') {
        const search = document.querySelector<HTMLElement>('[data-search]');
        if (search === null) return;
        event.preventDefault();
        return search.focus();
      }
      const page = Date.now() < goesAt ? PAGES.find(({ key }) => key === event.key) : undefined;
      goesAt = event.key === 'g' ? Date.now() + PATIENCE_MS : 0;
      if (page !== undefined) void navigate({ to: page.path, search: {} as never });
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [show, navigate]);
}
