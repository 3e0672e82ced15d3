import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Expects that a user can act on the target now: it is in view and nothing covers it. `mayScroll` lets them scroll its
 * pane, or the page if the page may scroll. Playwright scrolls and waits before it clicks, so a click alone proves none
 * of this.
 */
export async function mustBeInReach(target: Locator, { mayScroll }: { mayScroll: boolean }): Promise<void> {
  const reason = () => obstacleTo(target, { mayScroll });
  // Dialogs move in, and messages disappear by themselves.
  await expect.poll(reason, { timeout: 15_000, message: `${target} is out of reach` }).toBeNull();
}

/** What is in the way now; null if nothing is. */
export const obstacleTo = (target: Locator, { mayScroll }: { mayScroll: boolean }): Promise<string | null> =>
  target.evaluate(findObstacle, mayScroll);

/** Runs in the page. */
// biome-ignore lint/suspicious/noExplicitAny: this project has no types of the DOM.
function findObstacle(element: any, mayScroll: boolean): string | null {
  const document = element.ownerDocument;
  const window = document.defaultView;
  const page = document.documentElement;
  /** Pixels of a larger element, such as a text of 500 lines, that have to be visible. */
  const enough = 100;
  // Some controls are drawn by their label, and have no size themselves.
  const isDrawn = element.offsetWidth > 4 || !element.labels?.length;
  const shown = isDrawn ? element : element.labels[0];

  /** The elements that clip its content, up to the page itself or to a fixed element. */
  function panesAround() {
    const panes = [];
    for (let around = shown.parentElement; around && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY, position } = window.getComputedStyle(around);
      // A script can scroll it, a person cannot.
      const isMoved =
        (overflowX === 'hidden' && around.scrollLeft > 0) || (overflowY === 'hidden' && around.scrollTop > 0);
      const cuts = overflowX !== 'visible' || overflowY !== 'visible';
      if (cuts) panes.push({ box: around.getBoundingClientRect(), isMoved });
      if (position === 'fixed') break;
    }
    return panes;
  }

  /** Of a link that continues on the next line, the longest part: other words are in the middle of the whole. */
  function placeOf(one: typeof shown) {
    const [first, ...others] = one.getClientRects();
    if (others.length === 0) return one.getBoundingClientRect();
    return others.reduce(
      (widest: typeof first, part: typeof first) => (part.width > widest.width ? part : widest),
      first,
    );
  }

  function visiblePart(panes: ReturnType<typeof panesAround>) {
    let { left, top, right, bottom } = placeOf(shown);
    const full = { width: right - left, height: bottom - top };
    const ofWindow = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
    for (const box of [ofWindow, ...panes.map((pane) => pane.box)]) {
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, width: right - left, height: bottom - top, full };
  }

  function obstacle(): string | null {
    const panes = panesAround();
    if (panes.some(({ isMoved }) => isMoved)) return 'only a script can scroll to it';
    const { left, top, width, height, full } = visiblePart(panes);
    const isSeen = width >= Math.min(full.width, enough) - 1 && height >= Math.min(full.height, enough) - 1;
    if (!isSeen) {
      return `${Math.round(width)} × ${Math.round(height)} of ${Math.round(full.width)} × ${Math.round(full.height)} px are in view`;
    }
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if ([element, ...(element.labels ?? [])].some((one) => one.contains(hit))) return null;
    return `covered by ${hit?.outerHTML.slice(0, 200)}`;
  }

  if (page.scrollWidth > window.innerWidth)
    return `the page is ${page.scrollWidth} px wide in a window of ${window.innerWidth} px`;
  const isWorkbench = document.querySelector('.workbench') !== null;
  if (isWorkbench && page.scrollHeight > window.innerHeight) {
    return `the page of the workbench is ${page.scrollHeight} px high in a window of ${window.innerHeight} px`;
  }
  if (mayScroll && obstacle() !== null)
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  return obstacle();
}
