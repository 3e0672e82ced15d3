/** Height of the frame's header, and of the space below what stays at the top of the window, in pixels. */
const [header, space] = [48, 12];
/**
 * How long an element is kept in place after the last change of the content around it, and the longest time in total,
 * in milliseconds.
 */
const [settles, longest] = [1200, 15_000];
/** Events by which the user goes elsewhere. */
const leaving = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

const heightOfSticky = (element: HTMLElement | null | undefined): number =>
  element && getComputedStyle(element).position === 'sticky' ? element.offsetHeight : 0;

/** The top of the visible part of the window, in pixels: below the header and below the bar of the changes. */
const topOfView = (): number => header + heightOfSticky(document.querySelector<HTMLElement>('.changes-bar')) + space;

/** A thread is shown below the name of its file, which stays in view. */
export const topForThread = (card: HTMLElement): number =>
  topOfView() + heightOfSticky(card.closest('[data-file]')?.querySelector<HTMLElement>('.changed-file-heading'));

/** The number of the file that has the focus, or of the file at the top of the window. Null above the first file. */
export function currentFile(): number | null {
  const focused = document.activeElement?.closest<HTMLElement>('[data-file]');
  const box = focused?.getBoundingClientRect();
  const top = topOfView();
  if (focused && box && box.bottom > top && box.top < window.innerHeight) return Number(focused.dataset.file);
  const files = [...document.querySelectorAll<HTMLElement>('[data-file]')];
  const last = files.findLast((file) => file.getBoundingClientRect().top <= top + 4);
  return last ? Number(last.dataset.file) : null;
}

/** The element of a file. While the user is far from the file, returns the element of the group that contains it. */
export function fileElement(index: number): HTMLElement | null {
  const file = document.querySelector<HTMLElement>(`[data-file="${index}"]`);
  const groups = [...document.querySelectorAll<HTMLElement>('[data-files-from]')];
  return file ?? groups.findLast(({ dataset }) => Number(dataset.filesFrom) <= index) ?? null;
}

let stopFormer: () => void = () => undefined;

/** Whether diffs near the window are still being read. */
const isReading = (): boolean => document.querySelector('.review-files [role=status]') !== null;

/**
 * Brings an element to the top of the window. The element may not be in the page yet, and the content above it may
 * still change its height. So the element is kept at the top until that has settled, unless the user goes elsewhere.
 */
export function keepAtTop(find: () => HTMLElement | null, topFor: (found: HTMLElement) => number = topOfView): void {
  stopFormer();
  const latest = performance.now() + longest;
  let until = performance.now() + settles;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    for (const type of leaving) window.removeEventListener(type, stop);
  };
  const step = () => {
    if (isStopped) return;
    const found = find();
    const distance = found ? found.getBoundingClientRect().top - topFor(found) : 0;
    const before = window.scrollY;
    if (Math.abs(distance) > 1) window.scrollBy({ top: distance, behavior: 'instant' });
    // Near the end of the page, an element cannot reach the top, so the scroll position is checked for changes.
    if (window.scrollY !== before || isReading()) until = Math.min(performance.now() + settles, latest);
    if (performance.now() < until) requestAnimationFrame(step);
    else stop();
  };
  stopFormer = stop;
  step();
  // The listeners are added later, when the key press or the click that caused this is over.
  setTimeout(() => {
    if (!isStopped) for (const type of leaving) window.addEventListener(type, stop);
  });
}

export function showFile(index: number): void {
  let isFocused = false;
  keepAtTop(() => {
    const element = fileElement(index);
    const heading = element?.dataset.file === undefined ? null : element.querySelector<HTMLElement>('.file-heading');
    if (heading && !isFocused) {
      heading.focus({ preventScroll: true });
      isFocused = true;
    }
    return element;
  });
}
