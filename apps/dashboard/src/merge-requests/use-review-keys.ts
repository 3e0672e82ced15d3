import { useEffect } from 'react';
import { currentFile, fileElement, showFile } from './show-file.ts';

/** Threads and changes, in the order of the page. */
const stops = '.review-files :is([data-stop], [data-change])';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;

/**
 * Handles the keyboard shortcuts of a reviewer. They take precedence over those of the whole dashboard, some of which
 * are the same letters.
 */
export function useReviewKeys(count: number): void {
  useEffect(() => {
    const keys: Record<string, () => void> = {
      j: () => goToFile(1, count),
      k: () => goToFile(-1, count),
      n: () => goToStop(1, count),
      p: () => goToStop(-1, count),
      x: markViewed,
      c: commentOnLine,
    };
    const hear = (event: KeyboardEvent) => {
      const act = keys[event.key];
      const isCheckbox = event.target instanceof HTMLInputElement && event.target.type === 'checkbox';
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) && !isCheckbox) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    window.addEventListener('keydown', hear, { capture: true });
    return () => window.removeEventListener('keydown', hear, { capture: true });
  }, [count]);
}

function goToFile(step: 1 | -1, count: number): void {
  const index = (currentFile() ?? -1) + step;
  if (index >= 0 && index < count) showFile(index);
}

/**
 * Goes to the next thread or change in the page. If there is none, goes to the next file, whose changes are then
 * loaded.
 */
function goToStop(step: 1 | -1, count: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(stops)];
  const { activeElement } = document;
  const isInside = activeElement?.closest('.review-files') != null;
  const isBehind = (stop: HTMLElement): boolean => {
    if (stop.contains(activeElement)) return false;
    const wanted = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    if (isInside && activeElement) return (activeElement.compareDocumentPosition(stop) & wanted) !== 0;
    const middle = window.innerHeight / 2;
    return step === 1 ? stop.getBoundingClientRect().top > 0 : stop.getBoundingClientRect().top < middle;
  };
  const found = step === 1 ? all.find(isBehind) : all.findLast(isBehind);
  if (!found) {
    goToFile(step, count);
    return;
  }
  const target = found.querySelector<HTMLElement>(':scope [data-line]') ?? found;
  if (found.dataset.change !== undefined && target === found) found.tabIndex = -1;
  target.focus({ preventScroll: true });
  found.scrollIntoView({ block: 'center', behavior: 'instant' });
}

function markViewed(): void {
  const index = currentFile();
  if (index !== null) fileElement(index)?.querySelector<HTMLElement>('[data-viewed]')?.click();
}

function commentOnLine(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.dataset.line !== undefined) activeElement.click();
}
