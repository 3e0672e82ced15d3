import { type RefObject, useLayoutEffect, useState } from 'react';

/** The height of every row in pixels, the same as in code.css. */
export const rowHeight = 26;
/** Rows enter and leave the page in groups of this size, and so many more are there above and below. */
const group = 4;

type Range = { from: number; to: number };

/** The rows of a list near its visible part: a folder may have ten thousand files. */
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
    // Scroll events do not bubble, and the width of the window decides which pane scrolls.
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
