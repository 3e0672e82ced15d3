import type { MouseEvent } from 'react';

/**
 * A click anywhere in a row opens its first link, with the same modifier keys as a click on the link itself. Controls
 * in the row work as usual, and selecting text opens nothing. The keyboard uses the link.
 */
export function openRow({ target, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('a, button, input, select, textarea, label')) return;
  if (!window.getSelection()?.isCollapsed) return;
  const link = target.closest('tbody tr, .rows > *')?.querySelector('a[href]:not([target], [download])');
  link?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
