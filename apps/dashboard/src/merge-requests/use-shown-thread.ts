import { useEffect, useRef } from 'react';
import { keepAtTop, topForThread } from './show-file.ts';

/**
 * Scrolls to the thread that the URL names, once it can be found. `instead` finds the element that is shown until the
 * thread is in the page.
 */
export function useShownThread(
  id: string | undefined,
  isReady: boolean,
  instead: () => HTMLElement | null = () => null,
): void {
  const latest = useRef(instead);
  latest.current = instead;
  useEffect(() => {
    if (id === undefined || !isReady) return;
    let isFocused = false;
    keepAtTop(() => {
      const card = document.getElementById(id);
      if (card && !isFocused) {
        card.focus({ preventScroll: true });
        isFocused = true;
      }
      return card ?? latest.current();
    }, topForThread);
  }, [id, isReady]);
}
