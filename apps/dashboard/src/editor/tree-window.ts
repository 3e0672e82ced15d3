import { type RefObject, useLayoutEffect, useState } from 'react';

/** The height of every row in pixels, the same as in code.css. */
export const rowHeight = 26;
/**
 * Rows enter and leave the page in groups of this size. As many additional rows are kept above and below the visible
 * ones.
 */
const group = 4;

type Range = { from: number; to: number };

/**
 * Returns which rows of a list are near its visible part. Only these are rendered, because a folder may have ten
 * thousand files.
 */
export function useRowsInView(list: RefObject<HTMLElement | null>): Range {
  const [range, setRange] = useState<Range>({ from: 0, to: 40 });
  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return;
    const look = () => {
      const { from, to } = visibleRows(current);
      setRange((now) => (now.from === from && now.to === to ? now : { from, to }));
    };
    look();
    const resizing = new ResizeObserver(look);
    resizing.observe(current);
    resizing.observe(paneOf(current));
    // The listener is on the document and captures events, because scroll events do not bubble, and which pane scrolls
    // depends on the width of the window.
    document.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      resizing.disconnect();
      document.removeEventListener('scroll', look, { capture: true });
    };
  }, [list]);
  return range;
}

function visibleRows(list: HTMLElement): Range {
  const { top } = list.getBoundingClientRect();
  const pane = paneOf(list).getBoundingClientRect();
  const first = (Math.max(pane.top, 0) - top) / rowHeight;
  const last = (Math.min(pane.bottom, window.innerHeight) - top) / rowHeight;
  return { from: (Math.floor(first / group) - 1) * group, to: (Math.ceil(last / group) + 1) * group };
}

function paneOf(list: HTMLElement): HTMLElement {
  for (let around = list.parentElement; around; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
}
