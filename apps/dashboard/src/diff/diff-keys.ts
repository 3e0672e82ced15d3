import type { KeyboardEvent } from 'react';
import type { Side } from './diff-rows.ts';
import type { Choosing } from './line-notes.ts';

/**
 * Handles keys in a diff. For the Tab key, all lines are one stop. The arrow keys move between lines and, with Shift,
 * choose a range.
 */
export const moveInDiff =
  (choosing: Choosing) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget, key, shiftKey } = event;
    if (!(target instanceof HTMLElement) || target.dataset.line === undefined) return;
    const next = nextLine(currentTarget, target, key);
    if (!next) return;
    event.preventDefault();
    const { side, line } = placeIn(next);
    const from = placeIn(target);
    if (!shiftKey) choosing.begin(side, line);
    else if (side === from.side) {
      if (!choosing.isChosen(from.side, from.line)) choosing.begin(from.side, from.line);
      choosing.extend(side, line);
    } else return;
    next.focus();
  };

const placeIn = ({ dataset }: HTMLElement): { side: Side; line: number } => ({
  side: dataset.side === 'LEFT' ? 'LEFT' : 'RIGHT',
  line: Number(dataset.line),
});

function nextLine(diff: HTMLElement, from: HTMLElement, key: string): HTMLElement | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const beside = from.closest('[role=row]')?.querySelectorAll<HTMLElement>('[data-line]') ?? [];
    return [...beside].find((one) => one !== from);
  }
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined;
  const isSplit = diff.parentElement?.dataset.view === 'split';
  const column = isSplit ? `[data-line][data-side=${from.dataset.side}]` : '[data-line]';
  const all = [...diff.querySelectorAll<HTMLElement>(column)];
  return all[all.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)];
}
